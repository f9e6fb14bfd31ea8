-- purpose: the number of breaks that opened, changed, reopened or resolved.
-- parameters: none
-- grain:   one row
select count(*) as changed_count
from detect_changed;
