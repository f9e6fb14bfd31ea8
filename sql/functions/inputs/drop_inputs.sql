-- purpose: Drops the inputs of rungs, classes and rules, whether views or working tables.
create or replace function payrecon.drop_inputs() returns void
language plpgsql volatile
as $$
declare
    known record;
begin
    for known in
        select case pg_class.relkind when 'v' then 'view' else 'table' end as kind, pg_class.relname as name
        from pg_class
        where pg_class.relnamespace = pg_my_temp_schema()
            and pg_class.relkind in ('v', 'r')
            and pg_class.relname like 'in\_%'
    loop
        execute format('drop %s if exists %I cascade', known.kind, known.name);
    end loop;
end
$$;
