-- purpose: the size of a scope.
-- grain:   one row: the number of orders or of chains, whichever is greater; the estimated number of all orders, -1 before the
--          first statistics
select
    greatest((select count(*) from scope_order), (select count(*) from scope_chain)) as row_count,
    (select pg_class.reltuples::bigint from pg_class where pg_class.oid = 'payrecon.orders'::regclass) as order_count;
