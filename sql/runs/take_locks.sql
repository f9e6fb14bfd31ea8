-- purpose: takes locks in their order until the session ends, up to the first that another session holds; then reads the nodes of
--          the server with unfinished committed transactions, or that do not answer.
-- parameters: keys (text[]): numbers of the locks; empty if only the nodes are queried
-- grain:   one row per such node, or one row without a node: the key that another session holds, null if none; the node as host:port;
--          the error if it does not answer
with recursive tried as (
    select 0 as place, null::bigint as key, true as is_taken
    union all
    select tried.place + 1, wanted.key, pg_try_advisory_lock(wanted.key)
    from tried
    cross join lateral (select ((:'keys'::text[])[tried.place + 1])::bigint as key) as wanted
    where tried.is_taken
        and tried.place < cardinality(:'keys'::text[])
)
select lock.refused_key, doubt.node, doubt.fault
from (select min(tried.key) filter (where not tried.is_taken) as refused_key from tried) as lock
-- The join depends on the locks, so the nodes are asked after them.
left join lateral (select nodes.node, nodes.fault from nodes_in_doubt() as nodes where lock.refused_key is null) as doubt on true
order by doubt.node;
