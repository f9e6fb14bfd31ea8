-- purpose: names the last batch that a run may read, before it begins to: whoever stores rows of one of these batches after
--          that gives them a further batch.
-- parameters: run_id (text)
-- grain:   one run attempt
update runs
set bound_batch_id = (select coalesce(max(batches.batch_id), 0) from batches)
where run_id = :'run_id'::text
    and attempt = (select max(latest.attempt) from runs as latest where latest.run_id = :'run_id'::text);
