-- purpose: Returns the estimated number of orders; -1 before the first statistics.
create or replace function payrecon.order_estimate() returns bigint
language sql stable parallel safe
return (select pg_class.reltuples::bigint from pg_catalog.pg_class where pg_class.oid = 'payrecon.orders'::regclass);
