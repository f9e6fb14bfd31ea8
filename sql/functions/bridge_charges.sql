-- purpose: our charges of the fiscal period that is asked for which no order has, and refunds of the period whose sale lies in it, too;
--          by Apple's days, as the tie-out of the clock that is asked for learned where they begin. Plain names: it tells of the
--          present, or of the clock that a transaction looks back to.
-- grain:   one row per charge and kind
create or replace function payrecon.bridge_charges() returns table (
    charge_id text, currency text, kind text, milliunits bigint
)
language sql stable parallel safe
as $$
    with span as (
        select fiscal_periods.starts_on, fiscal_periods.ends_on
        from fiscal_periods
        where fiscal_periods.fiscal_period = payrecon.asked_period()
    ),
    learned as (
        select tieout_offsets.storefront, tieout_offsets.offset_hours
        from payrecon.tieout_offsets
        where tieout_offsets.fiscal_period = payrecon.asked_period()
            and tieout_offsets.as_of = (select payrecon.asked_at())
    ),
    sold as not materialized (
        select
            charges.original_transaction_id, charges.charge_id, coalesce(charges.currency, '') as currency, charges.price_milliunits,
            charges.refunded_milliunits, charges.state, charges.revoked_at, learned.offset_hours
        from charges
        inner join learned on learned.storefront = coalesce(charges.storefront, '')
        where charges.environment = 'Production'
            and charges.state in ('charged', 'refunded', 'partly_refunded')
            and charges.price_milliunits > 0
            -- A month is much of the table: whatever the planner expects of instants that it does not know, it is not looked up by product.
            and (
                charges.purchased_at >= (select span.starts_on::timestamp at time zone 'UTC' - interval '1 day' from span)
                and charges.purchased_at < (select span.ends_on::timestamp at time zone 'UTC' + interval '2 days' from span)
            ) is true
            and charges.purchased_at <= (select payrecon.asked_at())
            and ((charges.purchased_at at time zone 'UTC') + learned.offset_hours * interval '1 hour')::date
                between (select span.starts_on from span) and (select span.ends_on from span)
    )
    select sold.charge_id, sold.currency, 'unmatched', sold.price_milliunits
    from sold
    left join matches
        on matches.original_transaction_id = sold.original_transaction_id
        and matches.charge_id = sold.charge_id
    where matches.charge_id is null
    union all
    select sold.charge_id, sold.currency, 'refunded', sold.refunded_milliunits
    from sold
    where sold.state <> 'charged'
        and sold.revoked_at is not null
        and ((sold.revoked_at at time zone 'UTC') + sold.offset_hours * interval '1 hour')::date
            between (select span.starts_on from span) and (select span.ends_on from span)
$$;
