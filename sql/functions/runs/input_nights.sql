-- purpose: Returns the clocks at which rows of input are counted: the given one (place 0) and those of earlier nights, one per day,
--          newest first. Incomplete nights are left out, since a broken feed would otherwise become the norm. Table names are
--          unqualified, so that it reads the present or the transaction's past clock.
create or replace function payrecon.input_nights(as_of timestamptz) returns table (place bigint, clock timestamptz)
language plpgsql stable parallel restricted
as $function$
begin
    return query execute $$
        select 0::bigint, $1
        union all
        select row_number() over (order by past.as_of desc), past.as_of
        from (
            select distinct on ((runs.as_of at time zone 'UTC')::date) runs.as_of
            from runs
            where runs.job = 'nightly'
                and payrecon.is_complete(runs.verdict)
                and runs.as_of > $1 - interval '92 days'
                and (runs.as_of at time zone 'UTC')::date < ($1 at time zone 'UTC')::date
            order by (runs.as_of at time zone 'UTC')::date desc, runs.as_of desc
            limit 28
        ) as past
    $$ using as_of;
end
$function$;
