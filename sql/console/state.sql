-- purpose: whether cases are gathered from the current state, and whether any has changed since.
-- parameters: as_of (timestamptz)
-- grain:   one row: identity of the current state; whether cases were ever gathered; whether they were gathered from
--          this state at a clock that has passed; whether a later gathering exists; whether some must be regathered
with current as materialized (
    select clock.at, cases_rest_on(clock.at) as detected
    from (select console_clock(:'as_of'::timestamptz) as at) as clock
)
select
    current.detected,
    exists (select 1 from console_gathered where console_gathered.detected <> '') as is_there,
    exists (
        select 1
        from console_gathered as kept
        where kept.detected = current.detected
            and kept.as_of <= current.at
    ) as is_current,
    exists (select 1 from console_gathered as kept where kept.as_of > greatest(current.at, clock_timestamp())) as is_later,
    exists (select 1 from console_changed where console_changed.at <= current.at)
        or coalesce((select min(console_cases.changes_at) from console_cases) <= current.at, false) as has_changes
from current;
