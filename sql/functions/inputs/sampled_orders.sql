-- purpose: some orders, drawn by pages; another seed draws others. The figures stand in the text, as nodes that hold parts of the
--          orders are given none.
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
