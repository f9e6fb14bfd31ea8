-- purpose: Builds the indexes that defer_order_indexes dropped, and returns their number. Readers are not blocked. The caller
--          has the lock of the ingest of orders (ingest/18_build_order_indexes.sql), because the build blocks new rows.
create or replace function payrecon.build_order_indexes() returns bigint
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    deferred record;
    built bigint := 0;
begin
    for deferred in
        select deferred_indexes.index_name, deferred_indexes.definition
        from payrecon.deferred_indexes
        order by deferred_indexes.index_name
        for update
    loop
        -- An operator may have created an index of that name by hand.
        if to_regclass('payrecon.' || quote_ident(deferred.index_name)) is null then
            execute deferred.definition;
            built := built + 1;
        end if;
        delete from payrecon.deferred_indexes where deferred_indexes.index_name = deferred.index_name;
    end loop;
    return built;
end
$$;
