-- purpose: writes down, with its decisions, the last batch that a deciding run has read: it saw all of them as they were when
--          they were named, and nothing newer.
-- parameters: run_id (text)
-- grain:   one run attempt; none where the run has no row of its own
update runs
set last_batch_id = bound_batch_id
where run_id = :'run_id'::text
    and attempt = (select max(latest.attempt) from runs as latest where latest.run_id = :'run_id'::text);
