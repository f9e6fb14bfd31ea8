-- purpose: changes of the open undecided breaks between the previous night and this one.
-- parameters: as_of (timestamptz)
-- grain:   at most one row; none if there was no earlier night
with night as (
    select runs.as_of, runs.verdict
    from runs
    where runs.job = 'nightly'
        and runs.verdict <> 'failed'
        and not runs.is_ahead
        and runs.as_of < :'as_of'::timestamptz
    order by runs.as_of desc, runs.started_at desc
    limit 1
),
before as (
    select state.break_id
    from night
    cross join lateral breaks_at(night.as_of) as state
    where state.is_open
        and not state.is_decided
),
current_break as (
    select state.break_id
    from breaks_at(:'as_of'::timestamptz) as state
    where state.is_open
        and not state.is_decided
)
select
    rfc3339(night.as_of) as as_of,
    night.verdict,
    (select count(*) from current_break where current_break.break_id not in (select before.break_id from before)) as come_count,
    (select count(*) from before where before.break_id not in (select current_break.break_id from current_break)) as gone_count
from night;
