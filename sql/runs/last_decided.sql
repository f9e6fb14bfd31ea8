-- purpose: the newest clock that decisions were made at, and by which run: below it nothing is decided, and nothing that is
--          read from now on was known then.
-- parameters: none
-- grain:   at most one row
select run_id, rfc3339(as_of) as as_of
from (
    (select run_id, as_of from runs where last_batch_id is not null order by as_of desc, run_id limit 1)
    union all
    (select run_id, as_of from detections order by as_of desc limit 1)
) as decided
order by decided.as_of desc, run_id
limit 1;
