-- purpose: the batch for an input's next rows, and whether a run has fixed its input since that batch was opened. If so, the
--          rows need a continuation batch.
-- parameters: batch_id (bigint): the input's first batch
-- grain:   one row
select
    batches.batch_id,
    batches.state = 'open' and exists (select 1 from runs where runs.bound_batch_id >= batches.batch_id) as is_passed
from batches
where batches.batch_id = :'batch_id'::bigint
    or batches.first_batch_id = :'batch_id'::bigint
order by batches.batch_id desc
limit 1;
