-- purpose: when the newest fact of each kind of input happened, for monitoring.
-- parameters: none
-- grain:   one row per kind that was ever read with a dated fact
select kind, extract(epoch from max(newest_fact_at))::bigint as newest_fact_at
from batches
where (state = 'done' or content_sha256 = '')
    and newest_fact_at is not null
group by kind
order by kind;
