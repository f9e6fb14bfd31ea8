-- purpose: Returns the instant of a product's first Production sale. Finds the day in the index, whatever the number of
--          charges. Reads the charges of the present or of the transaction's past clock.
-- parameters: left_out: original transaction ids of sales that do not count
create or replace function payrecon.first_sale_at(bundle_id text, product_id text, left_out text[] default '{}') returns timestamptz
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
            and charges.original_transaction_id <> all($3)
        order by 1
        limit 1
    $$ into first_day using bundle_id, product_id, left_out;
    execute $$
        select min(charges.purchased_at)
        from charges
        where charges.bundle_id = $1
            and charges.product_id = $2
            and charges.environment = 'Production'
            and charges.original_transaction_id <> all($3)
            and (charges.purchased_at at time zone 'UTC')::date = $4
    $$ into first_at using bundle_id, product_id, left_out, first_day;
    return first_at;
end
$function$;
