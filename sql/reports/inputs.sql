-- purpose: the inputs of the report: counts of items by outcome, and the age of the newest fact.
-- grain:   one row per kind and content; one row per kind and name for inputs without content
with reading as (
    select
        input.kind, input.content_sha256, input.file_name, min(input.source) as source, sum(input.input_count)::bigint as input_count,
        sum(input.accepted_count)::bigint as accepted_count, sum(input.repeated_count)::bigint as repeated_count,
        sum(input.ignored_count)::bigint as ignored_count, sum(input.parked_count)::bigint as parked_count,
        max(input.newest_fact_at) as newest_fact_at
    from input_rows() as input
    group by input.kind, input.content_sha256, input.file_name
)
select
    kind, file_name, content_sha256 as sha256, source, input_count, accepted_count, repeated_count, ignored_count, parked_count,
    rfc3339(newest_fact_at) as newest_fact_at,
    case
        when newest_fact_at is not null
            then greatest(0, floor(extract(epoch from viewed_at() - newest_fact_at) / 60))::bigint
    end as age_minutes
from reading
order by kind collate "C", newest_fact_at desc nulls last, file_name collate "C", content_sha256 collate "C";
