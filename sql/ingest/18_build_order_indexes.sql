-- purpose: builds the indexes of orders that a first load deferred, in this run or in a killed one. Builds none while another
--          session ingests orders: its next rows would be queued behind the build.
-- parameters: orders_lock (bigint): key of the advisory lock of the ingest of orders
-- grain:   one row
select
    case
        when not exists (select 1 from deferred_indexes) then 0::bigint
        -- The session that ingests orders has this lock already and gets it again.
        when not pg_try_advisory_xact_lock(:'orders_lock'::bigint) then 0::bigint
        else build_order_indexes()
    end as index_count;
