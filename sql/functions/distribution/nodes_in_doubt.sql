-- purpose: nodes of the server that have not finished what was committed before one of them failed, so that a part of it can be read
--          nowhere; and nodes that do not answer, with what they failed with. None where all tables lie on one node.
create or replace function payrecon.nodes_in_doubt() returns table (node text, fault text)
language plpgsql
as $$
begin
    if payrecon.is_distributed() then
        return query execute $nodes$
            select told.nodename || ':' || told.nodeport, case when not told.success then coalesce(told.result, '') end
            from run_command_on_workers(
                'select count(*) from pg_prepared_xacts where database = current_database() and gid like ''citus\_%'''
            ) as told
            where not told.success
                or told.result <> '0'
        $nodes$;
    end if;
end
$$;
