-- purpose: the clock at which the console's cases are gathered: the wanted one, but neither before the newest detection whose
--          clock has passed nor after the present, so that no caller stores cases as they once were or never will be.
create or replace function payrecon.console_clock(wanted timestamptz) returns timestamptz
language sql stable parallel safe
return (
    select greatest(
        max(detections.as_of) filter (where detections.as_of <= clock_timestamp()),
        least(wanted, greatest(clock_timestamp(), max(detections.as_of)))
    )
    from payrecon.detections
);
