-- purpose: every charge with the term over which its money is earned, and what cuts it: what the schedules of the deferred revenue are
--          made of.
-- parameters: none; rows/ask.sql says the clock
-- grain:   one row per charge of the Production, in order of chains
-- rules:   days are those of the app's time zone, counted from 1970-01-01. A renewing term begins with its purchase or where the period
--          before it ends, whichever is later, and ends with its expiry: grace adds nothing. One that does not renew lasts as the
--          catalogue says. Everything else is earned on one day: of the delivery, or of the purchase where nothing tells one. An
--          upgrade is the next purchase of the chain. Family, free and unpriced charges carry no money; a refund that Apple charged
--          again leaves no trace.
with app as (
    select told.bundle_id, told.zone from asked_apps() as told
),
delivered as (
    select matched_orders.charge_id, orders.order_id, orders.delivered_at
    from matched_orders
    inner join orders on orders.order_id = matched_orders.order_id
),
chain as (
    select
        charges.charge_id, charges.bundle_id, charges.product_id, charges.type, charges.state, charges.currency,
        charges.original_transaction_id, charges.web_order_line_item_id, charges.transaction_ids, charges.price_milliunits,
        charges.refunded_milliunits, charges.purchased_at, charges.expires_at, charges.revoked_at, charges.reversed_at,
        charges.is_upgraded, lead(charges.purchased_at) over near as next_purchased_at,
        case when not lag(charges.is_upgraded) over near and lag(charges.revoked_at) over near is null
            then lag(charges.expires_at) over near
        end as previous_expires_at
    from charges
    where charges.environment = 'Production'
        and charges.purchased_at <= asked_at()
    window near as (
        partition by charges.original_transaction_id, charges.bundle_id, charges.ownership
        order by charges.purchased_at, charges.charge_id
    )
),
termed as (
    select
        chain.*, delivered.order_id, delivered.delivered_at, coalesce(app.zone, 'UTC') as zone,
        case
            when chain.type = 'auto_renewable' and chain.previous_expires_at < chain.expires_at
                then greatest(chain.purchased_at, chain.previous_expires_at)
            else chain.purchased_at
        end as term_from,
        case chain.type
            when 'auto_renewable' then chain.expires_at
            when 'non_renewing' then chain.purchased_at + products.period::interval
        end as term_to
    from chain
    left join delivered on delivered.charge_id = chain.charge_id
    left join app on app.bundle_id = chain.bundle_id
    left join products on products.bundle_id = chain.bundle_id and products.product_id = chain.product_id
),
dated as (
    select
        termed.*, coalesce(termed.term_to > termed.term_from, false) as has_term,
        coalesce(termed.price_milliunits, 0) * (termed.state not in ('family', 'free'))::integer as total
    from termed
)
select
    dated.charge_id, dated.transaction_ids[1] as transaction_id, dated.original_transaction_id, dated.web_order_line_item_id,
    dated.order_id, dated.bundle_id, dated.product_id, dated.type, coalesce(dated.currency, '') as currency,
    case
        when dated.state in ('family', 'free') then dated.state
        when dated.price_milliunits is null then 'unpriced'
        when dated.reversed_at is not null and dated.revoked_at is null then 'restored'
        else 'money'
    end as state,
    case when dated.has_term then 'day' else 'point_in_time' end as method,
    dated.total as total_milliunits,
    currency_unit(dated.currency) as unit_milliunits,
    ((asked_at() at time zone dated.zone)::date - 1) - date '1970-01-01' as through_day,
    (dated.purchased_at at time zone dated.zone)::date - date '1970-01-01' as booked_day,
    (
        case when dated.has_term then dated.term_from else coalesce(dated.delivered_at, dated.purchased_at) end at time zone dated.zone
    )::date - date '1970-01-01' as start_day,
    (case when dated.has_term then dated.term_to end at time zone dated.zone)::date - date '1970-01-01' as end_day,
    case
        when dated.total > 0 and dated.revoked_at <= asked_at()
            then (dated.revoked_at at time zone dated.zone)::date - date '1970-01-01'
    end as refund_day,
    dated.refunded_milliunits,
    case
        when dated.is_upgraded and dated.next_purchased_at < dated.term_to
            then (dated.next_purchased_at at time zone dated.zone)::date - date '1970-01-01'
    end as upgrade_day
from dated
order by
    dated.bundle_id collate "C", dated.original_transaction_id collate "C", dated.purchased_at, dated.charge_id collate "C";
