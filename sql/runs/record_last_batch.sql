-- purpose: records, with the run's decisions, the last batch that it has read. The run saw all batches up to it as they were
--          when it was fixed, and nothing newer.
-- parameters: run_id (text)
-- grain:   one run attempt; none if the run has no row
update runs
set last_batch_id = bound_batch_id
where run_id = :'run_id'::text
    and attempt = (select max(latest.attempt) from runs as latest where latest.run_id = :'run_id'::text);
