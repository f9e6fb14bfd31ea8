-- purpose: the clock that dates a batch's rows without an own change instant, and the number of the mapping that reads them.
-- parameters: batch_id (bigint)
-- grain:   one row
select reading_clock(batches.batch_id) as stated_at, batches.mapping_number
from batches
where batches.batch_id = :'batch_id'::bigint;
