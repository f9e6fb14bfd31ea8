-- purpose: the verdict that a channel was told last.
-- parameters: channel (text)
-- grain:   at most one row
select verdict
from told_verdicts
where channel = :'channel'::text
order by told_at desc
limit 1;
