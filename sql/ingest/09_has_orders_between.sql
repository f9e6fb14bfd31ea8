-- purpose: whether an order is stored whose id lies between the first and last id of a chunk. In most exports none is.
-- parameters: first_id, last_id (text)
-- grain:   one row
select
    exists (
        select 1
        from orders
        where orders.order_id >= :'first_id'::text collate "C"
            and orders.order_id <= :'last_id'::text collate "C"
    ) as has_orders_between;
