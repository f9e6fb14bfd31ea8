-- purpose: Returns matched pairs with a side in the report's fiscal period, with the difference between charge and order:
--          another price, another quantity, or a side in another period. Orders count on the UTC day of payment, charges on
--          Apple's days in the zones that the tie-out at the report's clock learned.
-- rules:   a match whose order or charge is missing is no pair, and the bridge then does not add up. Orders without money
--          have separate lines
-- grain:   one row per pair and currency: two if order and charge have different ones
create or replace function payrecon.bridge_pairs() returns table (
    order_id text, charge_id text, currency text, units bigint, milliunits bigint
)
language sql stable parallel safe
as $$
    with span as (select entry.* from payrecon.viewed_span() as entry),
    sold as materialized (
        select
            matches.order_id, matches.charge_id, coalesce(charges.currency, '') as currency, charges.quantity::bigint as units,
            charges.price_milliunits as milliunits
        from charges
        inner join matches using (original_transaction_id, charge_id)
        inner join payrecon.viewed_day_zones() as learned on learned.storefront = coalesce(charges.storefront, '')
        where payrecon.is_paid_charge(charges.environment, charges.state)
            and charges.price_milliunits > 0
            -- A month is a large part of the table; see bridge_charges.sql.
            and case
                when charges.purchased_at < (select span.period_from - interval '1 day' from span) then false
                when charges.purchased_at >= (select span.period_to + interval '1 day' from span) then false
                else charges.purchased_at <= (select payrecon.viewed_at())
            end
            and (charges.purchased_at at time zone learned.zone)::date
                between (select span.starts_on from span) and (select span.ends_on from span)
    ),
    booked as materialized (
        select
            orders.order_id, matched_orders.original_transaction_id, matched_orders.charge_id, coalesce(orders.currency, '') as currency,
            coalesce(orders.quantity, 1)::bigint as units, coalesce(orders.price_milliunits, 0) as milliunits
        from orders
        inner join matched_orders on matched_orders.order_id = orders.order_id
        where payrecon.is_booked(orders.status, orders.paid_at, orders.delivered_at)
            and orders.environment = 'Production'
            and case
                when coalesce(orders.paid_at, orders.delivered_at, orders.created_at) < (select span.period_from from span) then false
                else coalesce(orders.paid_at, orders.delivered_at, orders.created_at) < (select span.period_to from span)
            end
    ),
    side as materialized (
        select
            coalesce(sold.order_id, booked.order_id) as order_id, coalesce(sold.charge_id, booked.charge_id) as charge_id,
            booked.original_transaction_id, sold.currency as sold_currency, sold.units as sold_units, sold.milliunits as sold_milliunits,
            booked.currency as booked_currency, booked.units as booked_units, booked.milliunits as booked_milliunits
        from sold
        full join booked using (order_id, charge_id)
    )
    select
        side.order_id, side.charge_id, side.sold_currency, side.sold_units - side.booked_units,
        side.sold_milliunits - side.booked_milliunits
    from side
    where side.sold_currency = side.booked_currency
    union all
    -- The other side is in another period or currency.
    select side.order_id, side.charge_id, side.sold_currency, side.sold_units, side.sold_milliunits
    from side
    inner join orders on orders.order_id = side.order_id
    where side.sold_currency is distinct from side.booked_currency
        and side.sold_currency is not null
    union all
    select side.order_id, side.charge_id, side.booked_currency, -side.booked_units, -side.booked_milliunits
    from side
    inner join charges using (original_transaction_id, charge_id)
    where side.sold_currency is distinct from side.booked_currency
        and side.booked_currency is not null
        and payrecon.is_paid_charge(charges.environment, charges.state)
$$;
