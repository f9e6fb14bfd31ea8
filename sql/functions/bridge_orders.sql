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
            coalesce(orders.paid_at, orders.delivered_at, orders.created_at) as booked_at, orders.environment
        from orders
        where orders.status not in ('created', 'cancelled')
    ),
    spanned as materialized (
        select
            dated.*,
            dated.day >= span.month and dated.day < span.month + interval '1 month' as is_in_month,
            dated.day between span.starts_on and span.ends_on as is_in_period
        from span
        inner join (
            select booked.*, (booked.booked_at at time zone 'UTC')::date as day from booked
        ) as dated
            on dated.booked_at >= least(span.month, span.starts_on)::timestamp at time zone 'UTC'
            and dated.booked_at < (
                greatest((span.month + interval '1 month')::date, span.ends_on + 1)::timestamp at time zone 'UTC'
            )
    ),
    held as materialized (
        select spanned.*, matched_orders.original_transaction_id, matched_orders.charge_id
        from spanned
        inner join matched_orders on matched_orders.order_id = spanned.order_id
    ),
    -- Few charges are no money.
    unpaid as materialized (
        select held.order_id, charges.state
        from held
        inner join charges
            on charges.original_transaction_id = held.original_transaction_id
            and charges.charge_id = held.charge_id
        where charges.state in ('family', 'free')
            or charges.environment <> 'Production'
    ),
    loose as materialized (
        select spanned.*
        from spanned
        where not exists (select 1 from held where held.order_id = spanned.order_id)
    ),
    refused as materialized (
        select refused_claims.order_id, refused_claims.class
        from loose
        inner join refused_claims on refused_claims.order_id = loose.order_id
    )
    select
        held.order_id, held.currency, held.milliunits, held.day,
        case
            when held.environment <> 'Production' then 'sandbox'
            when unpaid.state in ('family', 'free') then 'free'
            when unpaid.order_id is not null then 'sandbox'
            else 'matched'
        end,
        held.is_in_month, held.is_in_period
    from held
    left join unpaid on unpaid.order_id = held.order_id
    union all
    select
        loose.order_id, loose.currency, loose.milliunits, loose.day,
        case
            when loose.environment <> 'Production' then 'sandbox'
            when refused.class = 'SANDBOX_IN_PROD' then 'sandbox'
            when refused.class in ('DUP_DELIVERY', 'REPLAY_MULTI_USER') then 'duplicate'
            else 'unmatched'
        end,
        loose.is_in_month, loose.is_in_period
    from loose
    left join refused on refused.order_id = loose.order_id
$$;
