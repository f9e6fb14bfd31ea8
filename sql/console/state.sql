-- purpose: whether cases were gathered, from what stands now, and whether anything was said of any since.
-- parameters: as_of (timestamptz)
-- grain:   one row: what cases rest on now; whether they were ever gathered; whether they were gathered from that, by a clock
--          that has passed; whether some are to be gathered anew
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
