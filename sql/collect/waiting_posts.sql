-- purpose: the oldest posts of the notification queue, up to a size limit.
-- parameters: row_max (bigint), byte_max (bigint)
-- grain:   one row per post
select post_id, received_at, body
from (
    select post_id, received_at, body, sum(length(body)) over (order by post_id) as byte_count
    from (select * from received_notifications order by post_id limit :'row_max'::bigint) as oldest
) as counted
where byte_count <= :'byte_max'::bigint
    or post_id = (select min(post_id) from received_notifications)
order by post_id;
