-- purpose: our own orders around the fiscal period that is asked for, by what they are for the bridge. Calendar months and fiscal
--          periods are told apart by the day, in UTC, on which an order was paid. Plain names: it tells of the present, or of the clock
--          that a transaction looks back to.
-- grain:   one row per order of the calendar month that the period is named after, or of the period
create or replace function payrecon.bridge_orders() returns table (
    order_id text, currency text, milliunits bigint, day date, kind text, is_in_month boolean, is_in_period boolean
)
language sql stable parallel safe
as $$
    with span as (
        select
            fiscal_periods.starts_on, fiscal_periods.ends_on,
            -- P01 is October.
            make_date(
                fiscal_periods.fiscal_year - case when fiscal_periods.number <= 3 then 1 else 0 end,
                (fiscal_periods.number + 8) % 12 + 1, 1
            ) as month
        from fiscal_periods
        where fiscal_periods.fiscal_period = payrecon.asked_period()
    ),
    booked as (
        select
            orders.order_id, coalesce(orders.currency, '') as currency, coalesce(orders.price_milliunits, 0) as milliunits,
            (coalesce(orders.paid_at, orders.delivered_at, orders.created_at) at time zone 'UTC')::date as day, orders.environment
        from orders
        where orders.status not in ('created', 'cancelled')
    ),
    spanned as materialized (
        select
            booked.*,
            booked.day >= span.month and booked.day < span.month + interval '1 month' as is_in_month,
            booked.day between span.starts_on and span.ends_on as is_in_period
        from booked
        inner join span
            on booked.day >= least(span.month, span.starts_on)
            and booked.day <= greatest((span.month + interval '1 month')::date - 1, span.ends_on)
    ),
    held as materialized (
        select matched_orders.order_id, matched_orders.original_transaction_id, matched_orders.charge_id
        from spanned
        inner join matched_orders on matched_orders.order_id = spanned.order_id
    ),
    paid as materialized (
        select held.order_id, charges.state, charges.environment
        from held
        inner join charges
            on charges.original_transaction_id = held.original_transaction_id
            and charges.charge_id = held.charge_id
    ),
    refused as materialized (
        select refused_claims.order_id, refused_claims.class
        from spanned
        inner join refused_claims on refused_claims.order_id = spanned.order_id
    )
    select
        spanned.order_id, spanned.currency, spanned.milliunits, spanned.day,
        case
            when spanned.environment <> 'Production' then 'sandbox'
            when paid.state in ('family', 'free') then 'free'
            when paid.environment <> 'Production' then 'sandbox'
            when held.order_id is not null then 'matched'
            when refused.class = 'SANDBOX_IN_PROD' then 'sandbox'
            when refused.class in ('DUP_DELIVERY', 'REPLAY_MULTI_USER') then 'duplicate'
            else 'unmatched'
        end,
        spanned.is_in_month, spanned.is_in_period
    from spanned
    left join held on held.order_id = spanned.order_id
    left join paid on paid.order_id = spanned.order_id
    left join refused on refused.order_id = spanned.order_id
$$;
