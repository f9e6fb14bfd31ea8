-- purpose: the verdict most recently sent to a channel.
-- parameters: channel (text)
-- grain:   at most one row
select verdict
from told_verdicts
where channel = :'channel'::text
order by told_at desc
limit 1;
