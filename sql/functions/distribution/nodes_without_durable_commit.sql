-- purpose: nodes that commit in the background (synchronous_commit off), or do not say whether they do: killed, such a node loses what
--          the others keep. None where the server has one node.
create or replace function payrecon.nodes_without_durable_commit() returns table (node text)
language plpgsql
as $$
begin
    if to_regclass('pg_catalog.pg_dist_node') is not null then
        return query execute $nodes$
            select told.nodename || ':' || told.nodeport
            from run_command_on_workers('show synchronous_commit') as told
            where not told.success
                or told.result = 'off'
        $nodes$;
    end if;
end
$$;
