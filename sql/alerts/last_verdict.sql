-- purpose: the verdict most recently sent to a channel.
-- parameters: channel (text)
-- grain:   at most one row
select verdict
from sent_verdicts
where channel = :'channel'::text
order by sent_at desc
limit 1;
