-- purpose: what the report rests on: every input, what became of its items, and how old its newest fact is.
-- parameters: as_of (timestamptz)
-- grain:   one row per kind and content, content that was read again counts as it was read first; one row per kind and
--          name for what has no content of its own: standard input, the webhook, lists of Apple's
with batch as (
    select
        batch_id, first_batch_id, kind, content_sha256, file_name, source, state, input_count, accepted_count, repeated_count,
        ignored_count, parked_count, known_at,
        -- Facts may lie after the clock, as in a night that is made up for.
        case
            when newest_fact_at <= :'as_of'::timestamptz then newest_fact_at
            else (
                select max(least(input_hours.newest_fact_at, :'as_of'::timestamptz))
                from input_hours
                where input_hours.batch_id = batches.batch_id
                    and input_hours.fact_hour <= :'as_of'::timestamptz
            )
        end as newest_fact_at
    from batches
    where known_at <= :'as_of'::timestamptz
),
-- What went on after a night began to decide stands in further batches.
reading as (
    select
        min(kind) as kind, min(content_sha256) as content_sha256, min(file_name) as file_name, min(source) as source,
        min(known_at) as known_at, min(batch_id) as batch_id, sum(input_count)::bigint as input_count,
        sum(accepted_count)::bigint as accepted_count, sum(repeated_count)::bigint as repeated_count,
        sum(ignored_count)::bigint as ignored_count, sum(parked_count)::bigint as parked_count,
        max(newest_fact_at) as newest_fact_at
    from batch
    where content_sha256 <> ''
    group by coalesce(first_batch_id, batch_id)
    having bool_and(state = 'done') or sum(input_count) > 0
),
first_reading as (
    select distinct on (kind, content_sha256)
        kind, content_sha256, file_name, source, input_count, accepted_count, repeated_count, ignored_count,
        parked_count, newest_fact_at
    from reading
    -- One that was broken off counts until the whole is read.
    order by kind asc, content_sha256 asc, input_count desc, known_at asc, batch_id asc
),
stream as (
    select
        kind, '' as content_sha256, file_name, min(source) as source, sum(input_count)::bigint as input_count,
        sum(accepted_count)::bigint as accepted_count, sum(repeated_count)::bigint as repeated_count,
        sum(ignored_count)::bigint as ignored_count, sum(parked_count)::bigint as parked_count,
        max(newest_fact_at) as newest_fact_at
    from batch
    where content_sha256 = ''
        -- Counts come with the rows they count: whoever died before the end of its list leaves them right, and whoever
        -- finds nothing left to do does not open the list again.
        and (state = 'done' or input_count > 0)
    group by kind, file_name
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
            then greatest(0, floor(extract(epoch from :'as_of'::timestamptz - newest_fact_at) / 60))::bigint
    end as age_minutes
from (select * from first_reading union all select * from stream) as reading
order by kind, newest_fact_at desc nulls last, file_name, sha256;
