-- purpose: remembers what the cases were gathered from.
-- parameters: detected (text), as_of (timestamptz)
-- grain:   one row
insert into console_gathered as kept (id, detected, as_of, gathered_at, detected_at)
select
    1, :'detected'::text, :'as_of'::timestamptz, clock_timestamp(),
    (select max(detections.as_of) from detections where detections.as_of <= :'as_of'::timestamptz)
on conflict (id) do update
set
    detected = excluded.detected,
    as_of = excluded.as_of,
    gathered_at = excluded.gathered_at,
    detected_at = excluded.detected_at;
