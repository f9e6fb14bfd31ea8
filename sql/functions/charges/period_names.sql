-- purpose: Returns names of subscription periods that stay the same when a line item becomes known later: the subscription, the
--          product and the second of purchase. Of several charges with one name, the one with the smallest line item has it.
--          Reads the facts of the present or of the transaction's past clock.
-- grain:   one row per charge with a name
create or replace function payrecon.period_names(charge_ids text[]) returns table (charge_id text, name text)
language plpgsql stable parallel restricted
-- Detect turns nested loops off; a few of very many charges are looked up by key.
set enable_nestloop = on
as $function$
begin
    return query execute $$
        with period as materialized (
            select
                charges.charge_id, coalesce(charges.web_order_line_item_id, '') as line_item_id, charges.environment,
                charges.bundle_id, charges.original_transaction_id, charges.product_id,
                date_trunc('second', charges.purchased_at) as purchased_at
            from (select distinct unnest($1) as charge_id) as requested
            inner join charges on charges.charge_id = requested.charge_id
            where charges.type = 'auto_renewable'
        ),
        preceded as (
            select distinct period.charge_id
            from period
            inner join charges using (original_transaction_id, environment, bundle_id, product_id)
            where charges.type = 'auto_renewable'
                and date_trunc('second', charges.purchased_at) = period.purchased_at
                and (coalesce(charges.web_order_line_item_id, ''), charges.charge_id) < (period.line_item_id, period.charge_id)
        )
        select
            period.charge_id,
            'period:' || concat_ws(
                '|', period.environment, period.bundle_id, period.original_transaction_id, period.product_id,
                payrecon.rfc3339(period.purchased_at)
            )
        from period
        where not exists (select 1 from preceded where preceded.charge_id = period.charge_id)
    $$ using charge_ids;
end
$function$;
