-- purpose: how old the newest fact of each kind of input is at a clock.
-- parameters: as_of (timestamptz)
-- grain:   one row per kind that was ever read with a dated fact
select kind, extract(epoch from :'as_of'::timestamptz - max(newest_fact_at))::bigint as age_seconds
from batches
where (state = 'done' or content_sha256 = '')
    and known_at <= :'as_of'::timestamptz
    and newest_fact_at is not null
group by kind
order by kind;
