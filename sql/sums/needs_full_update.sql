-- purpose: whether so much changed that recomputing all sums is as fast.
-- grain:   one row
select
    (select count(*) from sums_chain) + (select count(*) from sums_order)
    > 10000 + (
        select coalesce(sum(greatest(pg_class.reltuples, 0)), 0) / 5
        from pg_class
        where pg_class.oid in ('payrecon.charges'::regclass, 'payrecon.orders'::regclass)
    ) as is_much;
