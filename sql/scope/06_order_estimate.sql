-- purpose: the estimated number of orders.
-- grain:   one row
select order_estimate() as order_count;
