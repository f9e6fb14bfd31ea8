-- purpose: fixes the last batch that a run may read, before reading. Later rows for these batches go to continuation batches.
-- parameters: run_id (text)
-- grain:   one run attempt
update runs
set bound_batch_id = (select coalesce(max(batches.batch_id), 0) from batches)
where run_id = :'run_id'::text
    and attempt = (select max(latest.attempt) from runs as latest where latest.run_id = :'run_id'::text);
