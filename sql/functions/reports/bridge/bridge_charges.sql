-- purpose: our charges of the fiscal period that is asked for which no order has, and refunds of the period, of sales in it or before it;
--          by Apple's days, as the tie-out of the clock that is asked for learned where they begin. Plain names: it tells of the
--          present, or of the clock that a transaction looks back to.
-- grain:   one row per charge and kind
create or replace function payrecon.bridge_charges() returns table (
    charge_id text, currency text, kind text, units bigint, milliunits bigint
)
language sql stable parallel safe
as $$
    with span as (
        select fiscal_periods.starts_on, fiscal_periods.ends_on
        from fiscal_periods
        where fiscal_periods.fiscal_period = payrecon.viewed_period()
    ),
    learned as (
        select told.storefront, told.zone from payrecon.viewed_day_zones() as told
    ),
    -- Days are reckoned for what no order has, not for all that was sold.
    alone as materialized (
        select charges.charge_id, charges.storefront, charges.currency, charges.purchased_at, charges.quantity,
            charges.price_milliunits
        from charges
        left join matches
            on matches.original_transaction_id = charges.original_transaction_id
            and matches.charge_id = charges.charge_id
        where matches.charge_id is null
            and charges.environment = 'Production'
            and charges.state in ('charged', 'refunded', 'partly_refunded')
            and charges.price_milliunits > 0
            -- A month is much of the table: whatever the planner expects of instants that it does not know, it is not looked up by product,
            -- nor taken for a few rows.
            and case
                when charges.purchased_at < (select span.starts_on::timestamp at time zone 'UTC' - interval '1 day' from span) then false
                when charges.purchased_at >= (select span.ends_on::timestamp at time zone 'UTC' + interval '2 days' from span) then false
                else charges.purchased_at <= (select payrecon.viewed_at())
            end
    )
    select alone.charge_id, coalesce(alone.currency, ''), 'unmatched', alone.quantity, alone.price_milliunits
    from alone
    inner join learned on learned.storefront = coalesce(alone.storefront, '')
    where (alone.purchased_at at time zone learned.zone)::date
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
