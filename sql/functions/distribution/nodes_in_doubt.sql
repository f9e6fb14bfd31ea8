-- purpose: Returns nodes with unfinished prepared transactions after another node failed, whose part can be read nowhere;
--          and nodes that do not answer, with the error. Returns none if all tables are on one node.
create or replace function payrecon.nodes_in_doubt() returns table (node text, fault text)
language plpgsql
as $$
begin
    if payrecon.is_distributed() then
        return query execute $nodes$
            select answer.nodename || ':' || answer.nodeport, case when not answer.success then coalesce(answer.result, '') end
            from run_command_on_workers(
                'select count(*) from pg_prepared_xacts where database = current_database() and gid like ''citus\_%'''
            ) as answer
            where not answer.success
                or answer.result <> '0'
        $nodes$;
    end if;
end
$$;
