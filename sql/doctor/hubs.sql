-- purpose: users, tokens and devices that tie so many orders or subscriptions together that a night in which something of them
--          is new looks at everything. Which keys come into question the server's statistics of the keys say; before it has
--          any, none. A device ties only orders of which something was handed over on it.
-- parameters: row_max (bigint): as many a night may reach and still look at no more
-- grain:   one row per key and kind, those that tie the most first, 3 at most
with frequent as materialized (
    select distinct common.key
    from pg_stats
    inner join pg_class on pg_class.oid = 'payrecon.component_keys'::regclass
    cross join lateral unnest(pg_stats.most_common_vals::text::text[], pg_stats.most_common_freqs) as common (key, share)
    where pg_stats.schemaname = 'payrecon'
        and pg_stats.tablename = 'component_keys'
        and pg_stats.attname = 'key'
        -- Estimates: what comes near is counted.
        and common.share * pg_class.reltuples >= :'row_max'::bigint / 2
),
tied as (
    select
        component_keys.key,
        component_keys.kind,
        count(*) filter (where component_keys.side = 'order') as order_count,
        count(*) filter (where component_keys.side = 'chain') as chain_count,
        bool_or(component_keys.side = 'evidence') as has_evidence
    from frequent
    inner join component_keys on component_keys.key = frequent.key
    group by component_keys.key, component_keys.kind
)
select tied.kind, tied.key, greatest(tied.order_count, tied.chain_count) as tied_count
from tied
where greatest(tied.order_count, tied.chain_count) > :'row_max'::bigint
    and (tied.kind <> 'device' or tied.has_evidence)
order by tied_count desc, tied.kind, tied.key
limit 3;
