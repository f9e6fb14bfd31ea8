-- purpose: for monitoring: the last runs of each job.
-- grain:   one row per job of the run ledger
with ended as (
    select
        runs.*,
        row_number() over (partition by job order by started_at desc) as recency,
        max(as_of) filter (where verdict = 'clean') over (partition by job) as clean_as_of,
        max(as_of) filter (where is_complete(verdict)) over (partition by job) as complete_as_of,
        max(ended_at) filter (where is_complete(verdict)) over (partition by job) as complete_at
    from runs
    where ended_at is not null
        -- A run ahead of the clock does not count.
        and not is_ahead
)
select
    job, verdict,
    extract(epoch from as_of)::bigint as as_of,
    extract(epoch from ended_at)::bigint as ended_at,
    extract(epoch from clean_as_of)::bigint as clean_as_of,
    extract(epoch from complete_as_of)::bigint as complete_as_of,
    extract(epoch from complete_at)::bigint as complete_at,
    (
        select sum((kind.value ->> 'input')::bigint)::bigint
        from jsonb_each(ended.counts::jsonb) as kind (name, value)
        where jsonb_typeof(kind.value) = 'object'
            and kind.value ? 'input'
    ) as row_count,
    extract(epoch from ended_at - started_at)::numeric(12, 3)::text as seconds
from ended
where recency = 1
order by job;
