-- purpose: high-degree keys: users, tokens and devices with so many orders or subscriptions that a night with a change on
--          them joins whole tables. Candidates come from the server's column statistics; without statistics there are none.
--          A device counts only orders that had an upload on it.
-- parameters: row_max (bigint): most rows in a night's scope that are looked up one by one
-- grain:   one row per key and kind, largest first, 3 at most
with frequent as materialized (
    select distinct named.kind, common.key
    from (
        values
            ('orders', 'user_id', 'user'), ('orders', 'app_account_token', 'token'), ('orders', 'device_id', 'device'),
            ('transactions', 'app_account_token', 'token')
    ) as named (table_name, column_name, kind)
    inner join pg_class on pg_class.oid = ('payrecon.' || named.table_name)::regclass
    inner join pg_stats
        on pg_stats.schemaname = 'payrecon'
        and pg_stats.tablename = named.table_name
        and pg_stats.attname = named.column_name
    cross join lateral unnest(pg_stats.most_common_vals::text::text[], pg_stats.most_common_freqs) as common (key, share)
    -- The statistics are estimates, so keys near the limit are counted.
    where common.share * pg_class.reltuples >= :'row_max'::bigint / 2
),
uploading_device as materialized (
    select distinct uploads.device_id
    from frequent
    inner join uploads on uploads.device_id = frequent.key and uploads.device_id <> ''
    where frequent.kind = 'device'
),
counted_key as (
    select frequent.kind, frequent.key, count(*) as tied_count
    from frequent
    inner join orders on orders.user_id = frequent.key
    where frequent.kind = 'user'
    group by frequent.kind, frequent.key
    union all
    select frequent.kind, frequent.key, count(*)
    from frequent
    inner join orders on orders.app_account_token = frequent.key
    where frequent.kind = 'token'
    group by frequent.kind, frequent.key
    union all
    select 'device', uploading_device.device_id, count(*)
    from uploading_device
    inner join orders on orders.device_id = uploading_device.device_id
    group by uploading_device.device_id
    union all
    select frequent.kind, frequent.key, count(distinct transactions.original_transaction_id)
    from frequent
    inner join transactions on transactions.app_account_token = frequent.key
    where frequent.kind = 'token'
    group by frequent.kind, frequent.key
)
select counted_key.kind, counted_key.key, max(counted_key.tied_count) as tied_count
from counted_key
group by counted_key.kind, counted_key.key
having max(counted_key.tied_count) > :'row_max'::bigint
order by tied_count desc, counted_key.kind, counted_key.key
limit 3;
