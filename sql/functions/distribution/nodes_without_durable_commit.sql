-- purpose: Returns nodes that commit asynchronously (synchronous_commit off) or do not report it; a killed node may lose
--          data that others keep. Returns none for a single node.
create or replace function payrecon.nodes_without_durable_commit() returns table (node text)
language plpgsql
as $$
begin
    if to_regclass('pg_catalog.pg_dist_node') is not null then
        return query execute $nodes$
            select answer.nodename || ':' || answer.nodeport
            from run_command_on_workers('show synchronous_commit') as answer
            where not answer.success
                or answer.result = 'off'
        $nodes$;
    end if;
end
$$;
