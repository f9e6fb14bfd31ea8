-- purpose: whether all cases have to be gathered anew: what they rest on, or the clock, moved on.
-- parameters: as_of (timestamptz)
-- grain:   one row: what cases rest on now, whether they were ever gathered, and whether they were gathered from that
with current as (
    select cases_rest_on(:'as_of'::timestamptz) as detected
)
select
    current.detected,
    exists (select 1 from console_gathered) as is_there,
    exists (
        select 1
        from console_gathered as kept
        where kept.detected = current.detected
            and kept.as_of <= :'as_of'::timestamptz
            and kept.gathered_at > clock_timestamp() - interval '1 hour'
    ) as is_current
from current;
