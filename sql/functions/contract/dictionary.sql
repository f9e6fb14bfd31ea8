-- purpose: The dictionary of the contract: each column of each view, with its text from payrecon.column_words.
-- grain:   one row per view and column, in column order
create or replace view payrecon.dictionary with (security_invoker = true) as
select
    payrecon.contract_version() as version,
    view.relname::text as view_name,
    obj_description(view.oid, 'pg_class') as view_description,
    place.attnum::integer as place,
    place.attname::text as column_name,
    format_type(place.atttypid, place.atttypmod) as type,
    coalesce(word.unit, everywhere.unit, '') as unit,
    coalesce(word.description, everywhere.description) as description
from pg_class as view
inner join pg_namespace as home on home.oid = view.relnamespace
inner join pg_attribute as place on place.attrelid = view.oid
left join payrecon.column_words as word
    on word.relation = substr(view.relname, 3)
    and word.column_name = place.attname
left join payrecon.column_words as everywhere
    on everywhere.relation = ''
    and everywhere.column_name = place.attname
where home.nspname = 'payrecon'
    and view.relkind = 'v'
    and left(view.relname, 2) = 'v_'
    and place.attnum > 0;

-- Comments on the views and their columns, for other database clients: payrecon.v_orders, payrecon.v_charges,
-- payrecon.v_matches, payrecon.v_breaks, payrecon.v_cases, payrecon.v_signals, payrecon.v_runs, payrecon.v_subscriptions.
do $comments$
declare
    said record;
begin
    for said in
        select distinct dictionary.view_name, dictionary.version, word.description
        from payrecon.dictionary
        inner join payrecon.column_words as word
            on word.relation = substr(dictionary.view_name, 3)
            and word.column_name = ''
    loop
        execute format(
            'comment on view payrecon.%I is %L', said.view_name,
            said.description || ' Contract version ' || said.version || '; at an instant: payrecon.' || said.view_name
            || '_at(T).'
        );
    end loop;
    for said in select view_name, column_name, unit, description from payrecon.dictionary loop
        execute format(
            'comment on column payrecon.%I.%I is %L', said.view_name, said.column_name,
            said.description || case when said.unit in ('', 'UTC') then '' else ' Unit: ' || said.unit || '.' end
        );
    end loop;
end
$comments$;
