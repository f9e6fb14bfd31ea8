-- purpose: Returns charges of the report's fiscal period without an order, and refunds in the period of sales in it or
--          before it. Days are Apple's, in the zones that the tie-out at the report's clock learned.
-- grain:   one row per charge and kind
create or replace function payrecon.bridge_charges() returns table (
    charge_id text, currency text, kind text, units bigint, milliunits bigint
)
language sql stable parallel safe
as $$
    with span as (select entry.* from payrecon.viewed_span() as entry),
    learned as (select day_zone.storefront, day_zone.zone from payrecon.viewed_day_zones() as day_zone),
    -- Days are computed only for charges without an order, not for all sales.
    orderless as materialized (
        select charges.charge_id, charges.storefront, charges.currency, charges.purchased_at, charges.quantity,
            charges.price_milliunits
        from charges
        left join matches using (original_transaction_id, charge_id)
        where matches.charge_id is null
            and payrecon.is_paid_charge(charges.environment, charges.state)
            and charges.price_milliunits > 0
            -- A month is a large part of the table. The case expression keeps the planner, which does not know these
            -- instants, from an index scan by product and from underestimating the rows.
            and case
                when charges.purchased_at < (select span.period_from - interval '1 day' from span) then false
                when charges.purchased_at >= (select span.period_to + interval '1 day' from span) then false
                else charges.purchased_at <= (select payrecon.viewed_at())
            end
    )
    select orderless.charge_id, coalesce(orderless.currency, ''), 'unmatched', orderless.quantity, orderless.price_milliunits
    from orderless
    inner join learned on learned.storefront = coalesce(orderless.storefront, '')
    where (orderless.purchased_at at time zone learned.zone)::date
            between (select span.starts_on from span) and (select span.ends_on from span)
    union all
    select
        charges.charge_id, coalesce(charges.currency, ''),
        case
            when (charges.purchased_at at time zone learned.zone)::date
                between (select span.starts_on from span) and (select span.ends_on from span) then 'refunded'
            else 'refunded, sold before'
        end, back.units, charges.refunded_milliunits
    from charges
    inner join learned on learned.storefront = coalesce(charges.storefront, '')
    cross join lateral payrecon.refunded_units(
        charges.price_milliunits, charges.quantity, charges.refunded_milliunits, charges.currency
    ) as back
    where charges.environment = 'Production'
        and charges.state in ('refunded', 'partly_refunded')
        and charges.price_milliunits > 0
        and charges.refunded_milliunits > 0
        and charges.revoked_at <= (select payrecon.viewed_at())
        and (charges.revoked_at at time zone learned.zone)::date
            between (select span.starts_on from span) and (select span.ends_on from span)
$$;
