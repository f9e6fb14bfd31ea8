-- purpose: the number of breaks that opened, changed, reopened or resolved.
-- grain:   one row
select count(*) as changed_count
from detect_changed;
