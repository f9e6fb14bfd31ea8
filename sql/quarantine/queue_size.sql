-- purpose: the size of the notification queue, counted up to the limit.
-- parameters: row_max (bigint)
-- grain:   one row
select count(*) as post_count, coalesce(sum(length(body)), 0)::bigint as byte_count
from (select body from received_notifications limit :'row_max'::bigint) as queued;
