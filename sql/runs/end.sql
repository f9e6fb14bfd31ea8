-- purpose: records the verdict of a run.
-- parameters: run_id (text), attempt (integer), verdict, counts, message (text): JSON of a phrase
-- grain:   one run attempt
update runs
set
    verdict = :'verdict'::text,
    counts = :'counts'::text,
    message = :'message'::text::jsonb,
    ended_at = clock_timestamp()
where run_id = :'run_id'::text
    and attempt = :'attempt'::integer
    and verdict is null;
