-- purpose: takes locks until the session ends, and then reads the nodes of the server with unfinished committed transactions, or that
--          do not answer.
-- parameters: keys (text[]): numbers of the locks; empty if only nodes are asked for
-- grain:   one row per such node, or one row without a node: the first key that another session holds, null if none; the node as
--          host:port; the error if it does not answer
select lock.refused_key, doubt.node, doubt.fault
from (
    select (array_agg(tried.key order by tried.place) filter (where not tried.is_taken))[1] as refused_key
    from (
        select wanted.key::bigint as key, wanted.place, pg_try_advisory_lock(wanted.key::bigint) as is_taken
        from unnest(:'keys'::text[]) with ordinality as wanted (key, place)
    ) as tried
) as lock
-- A left join asks the nodes after the locks are taken.
left join nodes_in_doubt() as doubt on true
order by doubt.node;
