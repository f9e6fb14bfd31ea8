-- purpose: puts working tables in the place of the views by which rungs, classes and rules read whole tables: these may lie on
--          several nodes, which would not compare them in every way. Signed bytes, which nobody compares, stay where they are.
create or replace function payrecon.gather_inputs() returns void
language plpgsql volatile
as $$
declare
    known record;
begin
    for known in
        select pg_class.relname as name, string_agg(quote_ident(attribute.attname), ', ' order by attribute.attnum) as columns
        from pg_class
        inner join pg_attribute as attribute on attribute.attrelid = pg_class.oid
        where pg_class.relnamespace = pg_my_temp_schema()
            and pg_class.relkind = 'v'
            and pg_class.relname like 'in\_%'
            and attribute.attnum > 0
            and attribute.attname <> 'body'
        group by pg_class.relname
        order by pg_class.relname
    loop
        execute format('create temp table gathered on commit drop as select %s from %I', known.columns, known.name);
        execute format('drop view %I', known.name);
        execute format('alter table gathered rename to %I', known.name);
        execute format('analyze %I', known.name);
    end loop;
end
$$;
