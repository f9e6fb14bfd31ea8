-- purpose: Returns the clock for gathering the console's cases: the requested one, limited to the range from the newest
--          detection whose clock has passed to the present. No caller can thereby store cases of the past or the future.
--          After a run ahead of the clock the limit is a year after it.
create or replace function payrecon.console_clock(wanted timestamptz) returns timestamptz
language sql stable parallel safe
return (
    select greatest(
        max(detections.as_of) filter (where detections.as_of <= clock_timestamp()),
        least(
            wanted,
            case
                when max(detections.as_of) > clock_timestamp() then max(detections.as_of) + interval '366 days'
                else clock_timestamp()
            end
        )
    )
    from payrecon.detections
);
