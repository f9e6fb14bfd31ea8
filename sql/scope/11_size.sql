-- purpose: the size of a scope.
-- grain:   one row: the number of orders or of chains, whichever is greater; the estimated number of all orders
select
    greatest((select count(*) from scope_order), (select count(*) from scope_chain)) as row_count,
    order_estimate() as order_count;
