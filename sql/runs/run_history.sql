-- purpose: input rows of the four latest good runs of a job on the same weekday (UTC), one per day.
-- parameters: job (text), as_of (timestamptz)
-- grain:   at most four rows; row_count is null where the run counted no input
with daily as (
    select distinct on ((as_of at time zone 'UTC')::date)
        (as_of at time zone 'UTC')::date as day, counts
    from runs
    where job = :'job'::text
        and verdict not in ('failed', 'incomplete')
        and as_of < :'as_of'::timestamptz
        and as_of > :'as_of'::timestamptz - interval '57 days'
        and extract(isodow from as_of at time zone 'UTC')
        = extract(isodow from :'as_of'::timestamptz at time zone 'UTC')
        and (as_of at time zone 'UTC')::date < (:'as_of'::timestamptz at time zone 'UTC')::date
    order by (as_of at time zone 'UTC')::date desc, started_at desc
)
select
    (
        select sum((kind.value ->> 'input')::bigint)::bigint
        from jsonb_each(daily.counts::jsonb) as kind (name, value)
        where jsonb_typeof(kind.value) = 'object'
            and kind.value ? 'input'
    ) as row_count
from daily
order by daily.day desc
limit 4;
