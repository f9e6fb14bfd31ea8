-- purpose: the estimated number of orders; -1 before the first statistics.
-- grain:   one row
select pg_class.reltuples::bigint as order_count
from pg_class
where pg_class.oid = 'payrecon.orders'::regclass;
