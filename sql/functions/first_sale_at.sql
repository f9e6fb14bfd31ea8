-- purpose: when a product was first sold in Production, to anybody: found by the index, however many charges of it there are. It
--          reads the charges as they are, or as they were known at a past clock.
create or replace function payrecon.first_sale_at(bundle_id text, product_id text) returns timestamptz
language plpgsql stable
as $function$
declare
    first_at timestamptz;
begin
    execute $$
        select charges.purchased_at
        from charges
        where charges.bundle_id = $1
            and charges.product_id = $2
            and charges.environment = 'Production'
        order by charges.purchased_at
        limit 1
    $$ into first_at using bundle_id, product_id;
    return first_at;
end
$function$;
