-- purpose: Returns our booked orders around the report's fiscal period, with their kind for the bridge. An order belongs to
--          the month and period of the UTC day on which it was paid.
-- grain:   one row per order of the calendar month that the period is named after, or of the period
create or replace function payrecon.bridge_orders() returns table (
    order_id text, currency text, units bigint, milliunits bigint, day date, kind text, is_in_month boolean, is_in_period boolean
)
language sql stable parallel safe
as $$
    with span as (select entry.* from payrecon.viewed_span() as entry),
    booked as (
        select
            orders.order_id, coalesce(orders.currency, '') as currency, coalesce(orders.quantity, 1) as units,
            coalesce(orders.price_milliunits, 0) as milliunits,
            coalesce(orders.paid_at, orders.delivered_at, orders.created_at) as booked_at, orders.environment,
            matched_orders.order_id is not null as is_matched
        from orders
        left join matched_orders on matched_orders.order_id = orders.order_id
        where payrecon.is_booked(orders.status, orders.paid_at, orders.delivered_at)
    ),
    -- Few charges carry no money, so each order is compared with these.
    no_money as (
        select matches.order_id, charges.state
        from charges
        inner join matches using (original_transaction_id, charge_id)
        where charges.state in ('family', 'free')
            or charges.environment <> 'Production'
    ),
    refused as (select refused_claims.order_id, refused_claims.class from refused_claims)
    select
        booked.order_id, booked.currency, booked.units, booked.milliunits, (booked.booked_at at time zone 'UTC')::date,
        case
            when booked.environment <> 'Production' then 'sandbox'
            when not booked.is_matched then case
                when refused.class = 'SANDBOX_IN_PROD' then 'sandbox'
                when refused.class in ('DUP_DELIVERY', 'REPLAY_MULTI_USER') then 'duplicate'
                else 'unmatched'
            end
            when no_money.state in ('family', 'free') then 'free'
            when no_money.order_id is not null then 'sandbox'
            else 'matched'
        end,
        booked.booked_at >= (select span.month_from from span) and booked.booked_at < (select span.month_to from span),
        booked.booked_at >= (select span.period_from from span) and booked.booked_at < (select span.period_to from span)
    from booked
    left join no_money on no_money.order_id = booked.order_id
    left join refused
        on refused.order_id = booked.order_id
        and not booked.is_matched
    -- A month is a large part of the table, but the planner does not know these instants.
    where case
            when booked.booked_at < (select least(span.month_from, span.period_from) from span) then false
            else booked.booked_at < (select greatest(span.month_to, span.period_to) from span)
        end
$$;
