-- purpose: orders that changed, got another charge or another refused claim since an earlier clock.
-- parameters: since (timestamptz): that clock
-- grain:   one row per order
insert into sums_order (order_id)
select orders.order_id
from payrecon.orders
where orders.batch_id = any(array(select batches.batch_id from payrecon.batches where batches.known_at > :'since'::timestamptz))
union
select matches.order_id
from payrecon.matches
where matches.valid_from > :'since'::timestamptz
union
select ended_matches.order_id
from payrecon.ended_matches
where ended_matches.valid_to > :'since'::timestamptz
union
select refused_claims.order_id
from payrecon.refused_claims
where refused_claims.valid_from > :'since'::timestamptz
union
select ended_refused_claims.order_id
from payrecon.ended_refused_claims
where ended_refused_claims.valid_to > :'since'::timestamptz;
