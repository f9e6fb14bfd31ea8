-- purpose: Returns the instant of a product's first Production sale. Finds the day in the index, whatever the number of
--          charges. Reads the charges of the present or of the transaction's past clock.
create or replace function payrecon.first_sale_at(bundle_id text, product_id text) returns timestamptz
language plpgsql stable
as $function$
declare
    first_day date;
    first_at timestamptz;
begin
    execute $$
        select (charges.purchased_at at time zone 'UTC')::date
        from charges
        where charges.bundle_id = $1
            and charges.product_id = $2
            and charges.environment = 'Production'
        order by 1
        limit 1
    $$ into first_day using bundle_id, product_id;
    execute $$
        select min(charges.purchased_at)
        from charges
        where charges.bundle_id = $1
            and charges.product_id = $2
            and charges.environment = 'Production'
            and (charges.purchased_at at time zone 'UTC')::date = $3
    $$ into first_at using bundle_id, product_id, first_day;
    return first_at;
end
$function$;
