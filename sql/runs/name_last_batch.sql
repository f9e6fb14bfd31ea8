-- purpose: names the last batch that a deciding run reads: it sees all of them as they are now, and nothing newer.
-- parameters: run_id (text)
-- grain:   one run attempt; none where the run has no row of its own
update runs
set last_batch_id = (select max(batches.batch_id) from batches)
where run_id = :'run_id'::text
    and attempt = (select max(latest.attempt) from runs as latest where latest.run_id = :'run_id'::text);
