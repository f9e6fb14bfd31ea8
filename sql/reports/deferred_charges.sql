-- purpose: every charge with the term over which its money is earned, and what cuts it: what the schedules of the deferred revenue are
--          made of.
-- parameters: none; rows/ask.sql says the clock
-- grain:   one row per charge of the Production, in order of chains
-- rules:   days are those of the app's time zone, counted from 1970-01-01. A renewing term begins with its purchase or where the period
--          before it ends, whichever is later, and ends with its expiry: grace adds nothing, an extension stretches it from the day
--          on which Apple signed it. One that does not renew lasts as the catalogue says. Everything else is earned on one day: of the
--          delivery, or of the purchase where nothing tells one. An upgrade is the next purchase of the chain. Family, free and unpriced
--          charges carry no money; a refund that Apple charged again leaves no trace.
with app as (
    select told.bundle_id, told.zone from asked_apps() as told
),
delivered as (
    select matched_orders.charge_id, orders.order_id, orders.delivered_at
    from matched_orders
    inner join orders on orders.order_id = matched_orders.order_id
),
period as (
    select
        charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.purchased_at, charges.expires_at, charges.is_upgraded
    from charges
    where charges.environment = 'Production'
        and charges.type = 'auto_renewable'
        and charges.state <> 'family'
),
-- Grace and retry wait for a charge: their dates are no extension.
said as (
    select infos.original_transaction_id, infos.bundle_id, infos.signed_at, infos.renewal_at
    from renewal_infos_at(asked_at(), null) as infos
    where infos.environment = 'Production'
        and infos.renewal_at is not null
        and infos.is_in_billing_retry is not true
        and infos.grace_expires_at is null
),
-- Later ends of periods, as Apple told them; receipts cut instants to the second.
word as (
    -- A date of renewal at which no period ends is that to which the period bought last was extended.
    select
        newest.original_transaction_id, newest.charge_id, newest.bundle_id, newest.signed_at, newest.renewal_at as ends_at, false as is_own
    from (
        select distinct on (said.original_transaction_id, said.bundle_id, said.signed_at, said.renewal_at)
            period.*, said.signed_at, said.renewal_at
        from said
        inner join period
            on period.original_transaction_id = said.original_transaction_id
            and period.bundle_id = said.bundle_id
            and period.purchased_at <= said.signed_at
        where not exists (
            select 1
            from period as ended
            where ended.original_transaction_id = said.original_transaction_id
                and ended.bundle_id = said.bundle_id
                and ended.expires_at = said.renewal_at
        )
        order by
            said.original_transaction_id, said.bundle_id, said.signed_at, said.renewal_at, period.purchased_at desc,
            period.is_upgraded, period.charge_id
    ) as newest
    where newest.renewal_at > newest.expires_at + interval '1 minute'
    union all
    -- A transaction may be told again with the later end.
    select told.original_transaction_id, told.charge_id, period.bundle_id, told.signed_at, told.expires_at, true
    from (
        select transactions.original_transaction_id, transactions.charge_id
        from transactions
        where transactions.environment = 'Production'
            and transactions.type = 'auto_renewable'
        group by transactions.original_transaction_id, transactions.charge_id
        having max(transactions.expires_at) - min(transactions.expires_at) > interval '1 minute'
    ) as retold
    inner join period
        on period.original_transaction_id = retold.original_transaction_id
        and period.charge_id = retold.charge_id
    inner join transactions as told
        on told.original_transaction_id = retold.original_transaction_id
        and told.charge_id = retold.charge_id
        and told.expires_at <= period.expires_at
),
extended as (
    select
        dated.original_transaction_id, dated.charge_id, max(dated.ends_at) as ends_at,
        (array_agg(dated.ends_at order by dated.signed_at, dated.ends_at) filter (where dated.is_own))[1] as sold_until,
        string_agg(
            concat_ws(':', dated.signed_on - date '1970-01-01', dated.ends_on - date '1970-01-01'), ' '
            order by dated.signed_at, dated.ends_at
        ) as extensions
    from (
        select
            word.*, (word.signed_at at time zone coalesce(app.zone, 'UTC'))::date as signed_on,
            (word.ends_at at time zone coalesce(app.zone, 'UTC'))::date as ends_on
        from word
        left join app on app.bundle_id = word.bundle_id
        where word.signed_at <= asked_at()
    ) as dated
    group by dated.original_transaction_id, dated.charge_id
),
sold as (
    select charges.*
    from charges
    where charges.environment = 'Production'
        and charges.purchased_at <= asked_at()
),
chain as (
    select
        sold.charge_id, sold.bundle_id, sold.product_id, sold.type, sold.state, sold.currency, sold.original_transaction_id,
        sold.web_order_line_item_id, sold.transaction_ids, sold.price_milliunits, sold.refunded_milliunits, sold.purchased_at,
        sold.revoked_at, sold.reversed_at, sold.is_upgraded, coalesce(extended.sold_until, sold.expires_at) as expires_at,
        extended.extensions, lead(sold.purchased_at) over near as next_purchased_at,
        case when not lag(sold.is_upgraded) over near and lag(sold.revoked_at) over near is null
            then lag(greatest(sold.expires_at, extended.ends_at)) over near
        end as previous_expires_at
    from sold
    left join extended
        on extended.original_transaction_id = sold.original_transaction_id
        and extended.charge_id = sold.charge_id
    window near as (
        partition by sold.original_transaction_id, sold.bundle_id, sold.ownership
        order by sold.purchased_at, sold.charge_id
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
    case when dated.has_term then dated.extensions end as extensions,
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
