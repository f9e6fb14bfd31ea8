-- purpose: about how many orders there are; -1 when nobody has counted yet.
-- parameters: none
-- grain:   one row
select pg_class.reltuples::bigint as order_count
from pg_class
where pg_class.oid = 'payrecon.orders'::regclass;
