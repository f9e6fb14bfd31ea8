-- purpose: what the report rests on: every input, what became of its items, and how old its newest fact is.
-- parameters: none; rows/ask.sql says the clock
-- grain:   one row per kind and content, one row per kind and name for what has no content of its own; see functions/reports/input_rows.sql
with reading as (
    select
        told.kind, told.content_sha256, told.file_name, min(told.source) as source, sum(told.input_count)::bigint as input_count,
        sum(told.accepted_count)::bigint as accepted_count, sum(told.repeated_count)::bigint as repeated_count,
        sum(told.ignored_count)::bigint as ignored_count, sum(told.parked_count)::bigint as parked_count,
        max(told.newest_fact_at) as newest_fact_at
    from input_rows() as told
    group by told.kind, told.content_sha256, told.file_name
)
select
    kind,
    file_name,
    content_sha256 as sha256,
    source,
    input_count,
    accepted_count,
    repeated_count,
    ignored_count,
    parked_count,
    rfc3339(newest_fact_at) as newest_fact_at,
    case
        when newest_fact_at is not null
            then greatest(0, floor(extract(epoch from viewed_at() - newest_fact_at) / 60))::bigint
    end as age_minutes
from reading
order by kind collate "C", newest_fact_at desc nulls last, file_name collate "C", content_sha256 collate "C";
