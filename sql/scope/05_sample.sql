-- purpose: a page-wise random sample of orders to re-evaluate; another seed selects others.
-- parameters: percent_thousandths, seed, row_max (bigint)
-- grain:   one row per order
insert into scope_order (order_id, round)
select sampled.order_id, 0
from sampled_orders(:'percent_thousandths'::bigint, :'seed'::bigint, :'row_max'::bigint) as sampled (order_id);
