-- purpose: classes of findings that are missing in the table of classes.
-- grain:   one row per class; none if all are listed
select distinct finding.class
from finding
where not exists (select 1 from break_classes where break_classes.class = finding.class)
order by finding.class;
