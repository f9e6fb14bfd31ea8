-- purpose: the inputs of a run.
-- parameters: run_id (text)
-- grain:   one row per file
select kind, file_name, input_count, accepted_count, repeated_count, ignored_count, parked_count
from batches
where run_id = :'run_id'::text
order by batch_id;
