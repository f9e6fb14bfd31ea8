-- purpose: defers building the secondary indexes of orders to the end of a first load.
-- grain:   one row
select defer_order_indexes() as is_deferred;
