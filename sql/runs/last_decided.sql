-- purpose: the newest decided clock and its run. No run decides below it, and input read from now on is not known there.
-- grain:   at most one row
select last.run_id, rfc3339(last.as_of) as as_of
from last_decided() as last;
