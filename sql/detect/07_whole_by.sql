-- purpose: files of classes that evaluate the whole database, whatever the scope of the run. Their findings are few however
--          long the history is, or they count.
-- grain:   one row per file
select distinct whole_by
from break_classes
where whole_by is not null
order by whole_by;
