-- purpose: the clock at which the console's cases are gathered: the wanted one, but neither before the newest detection whose
--          clock has passed nor after the present, so that no caller stores cases as they once were or never will be. Where a
--          run looked ahead, cases may be looked at up to a year after it.
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
