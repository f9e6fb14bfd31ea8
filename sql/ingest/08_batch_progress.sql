-- purpose: how many items of a batch are recorded, and the latest instant that counts as fresh input; rows dated later do
--          not count.
-- parameters: batch_id (bigint)
-- grain:   one row
select batches.items_done, latest_credible_instant(batches.batch_id) as fresh_until
from batches
where batches.batch_id = :'batch_id'::bigint;
