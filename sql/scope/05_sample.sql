-- purpose: some orders to decide anew, drawn by pages; another seed draws others.
-- parameters: percent_thousandths, seed, row_max (bigint)
-- grain:   one row per order
insert into scope_order (order_id, round)
select orders.order_id, 0
from orders tablesample system (:'percent_thousandths'::bigint / 1000.0) repeatable (:'seed'::bigint)
limit :'row_max'::bigint;
