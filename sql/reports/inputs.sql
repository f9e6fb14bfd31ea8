-- purpose: the inputs of the report: counts of items by outcome, and the age of the newest fact.
-- grain:   one row per kind and content; one row per kind and name for inputs without content
select
    input.kind, input.file_name, input.content_sha256 as sha256, min(input.source) as source,
    sum(input.input_count)::bigint as input_count, sum(input.accepted_count)::bigint as accepted_count,
    sum(input.repeated_count)::bigint as repeated_count, sum(input.ignored_count)::bigint as ignored_count,
    sum(input.parked_count)::bigint as parked_count, rfc3339(max(input.newest_fact_at)) as newest_fact_at,
    case
        when max(input.newest_fact_at) is not null
            then greatest(0, floor(extract(epoch from viewed_at() - max(input.newest_fact_at)) / 60))::bigint
    end as age_minutes
from input_rows() as input
group by input.kind, input.content_sha256, input.file_name
order by
    input.kind collate "C", max(input.newest_fact_at) desc nulls last, input.file_name collate "C", input.content_sha256 collate "C";
