-- purpose: files of classes that look at all there is at once, of whatever a run looks at otherwise: they find what is few however
--          long the history is, or count.
-- parameters: none
-- grain:   one row per file
select distinct whole_by
from break_classes
where whole_by is not null
order by whole_by;
