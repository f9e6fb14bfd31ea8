-- purpose: whether the cases have to be gathered anew: detection or clock moved on, or somebody decided elsewhere.
-- parameters: as_of (timestamptz)
-- grain:   one row: what there is now, and whether that is what was gathered
with newest as (
    select detections.as_of, detections.run_id
    from detections
    where detections.as_of <= :'as_of'::timestamptz
    order by detections.as_of desc
    limit 1
),
current as (
    select
        coalesce((select rfc3339(newest.as_of) || ' ' || newest.run_id from newest), '') as detected,
        (select count(*) from case_decisions) + (select count(*) from case_undos) as said_count
)
select
    current.detected,
    current.said_count,
    exists (
        select 1
        from console_gathered as kept
        where kept.detected = current.detected
            and kept.as_of <= :'as_of'::timestamptz
            and kept.gathered_at > clock_timestamp() - interval '5 minutes'
            -- What is decided over the console is gathered at once, case by case.
            and (kept.said_count = current.said_count or kept.gathered_at > clock_timestamp() - interval '1 minute')
    ) as is_current
from current;
