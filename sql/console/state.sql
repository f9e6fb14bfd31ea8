-- purpose: whether all cases have to be gathered anew: detection or the clock moved on.
-- parameters: as_of (timestamptz)
-- grain:   one row: the latest detection, whether cases were ever gathered, and whether they are of that detection
with newest as (
    select rfc3339(detections.as_of) || ' ' || detections.run_id as detected
    from detections
    where detections.as_of <= :'as_of'::timestamptz
    order by detections.as_of desc
    limit 1
),
current as (
    select coalesce((select newest.detected from newest), '') as detected
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
