-- purpose: whether any staged order was seen before; where none was, nothing has to be judged.
-- parameters: none
-- grain:   one row
select exists (
    select 1
    from staged_order
    inner join orders on orders.order_id = staged_order.order_id
) as is_known;
