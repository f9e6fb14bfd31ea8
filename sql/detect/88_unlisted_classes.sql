-- purpose: classes of findings that the table of classes does not know.
-- parameters: none
-- grain:   one row per class; none when all is well
select distinct finding.class
from finding
where not exists (select 1 from break_classes where break_classes.class = finding.class)
order by finding.class;
