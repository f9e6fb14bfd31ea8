-- purpose: copies all inputs of rungs, classes and rules for the transaction if large tables are distributed over nodes, since
--          distributed tables do not support every comparison. The copies replace the views of sql/inputs and
--          sql/partitions/combine.sql. Signed bytes, which are never compared, stay where they are. A view comes
--          before those that it reads, in the order of their names.
-- grain:   as in each table
do $$
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
