-- purpose: the batch that already read this content, whole or in part.
-- parameters: kind, content_sha256 (text)
-- grain:   one row at most: a finished batch before an open one
select batch_id, state, items_done, input_count, accepted_count, repeated_count, ignored_count, parked_count
from batches
where kind = :'kind'::text
    and content_sha256 = :'content_sha256'::text
order by state, batch_id
limit 1;
