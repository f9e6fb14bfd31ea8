-- purpose: the newest clock that decisions were made at, and by which run: below it nothing is decided, and nothing that is
--          read from now on was known then.
-- parameters: none
-- grain:   at most one row
select last.run_id, rfc3339(last.as_of) as as_of
from last_decided() as last;
