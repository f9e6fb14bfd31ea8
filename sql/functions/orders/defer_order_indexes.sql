-- purpose: Drops the secondary indexes of orders while the table is empty, and stores their definitions for
--          build_order_indexes. Keeps them if a reader holds the table for more than a moment, or if the table is
--          distributed or partitioned.
create or replace function payrecon.defer_order_indexes() returns boolean
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
set lock_timeout = '200ms'
as $$
declare
    secondary record;
begin
    if payrecon.is_distributed()
        or (select pg_class.relkind from pg_class where pg_class.oid = 'payrecon.orders'::regclass) <> 'r'
        or exists (select 1 from payrecon.orders) then
        return false;
    end if;
    lock table payrecon.orders in access exclusive mode;
    for secondary in
        select pg_class.relname as name, pg_get_indexdef(pg_index.indexrelid) as definition
        from pg_index
        inner join pg_class on pg_class.oid = pg_index.indexrelid
        where pg_index.indrelid = 'payrecon.orders'::regclass
            and not pg_index.indisunique
    loop
        insert into payrecon.deferred_indexes (index_name, definition) values (secondary.name, secondary.definition);
        execute format('drop index payrecon.%I', secondary.name);
    end loop;
    return true;
exception when lock_not_available then
    return false;
end
$$;
