-- purpose: Returns a page-wise random sample of orders; another seed selects others. The numbers are part of the query text,
--          because distributed queries cannot take them as parameters here.
create or replace function payrecon.sampled_orders(percent_thousandths bigint, seed bigint, row_max bigint) returns setof text
language plpgsql stable
as $function$
begin
    return query execute format(
        'select orders.order_id from payrecon.orders tablesample system (%s / 1000.0) repeatable (%s) limit %s',
        percent_thousandths, seed, row_max
    );
end
$function$;
