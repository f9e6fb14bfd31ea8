-- purpose: every charge with the term over which its money is earned, and the facts that shorten it; input of the deferred
--          revenue schedules.
-- parameters: none; rows/ask.sql sets the clock
-- grain:   one row per Production charge, ordered by chain
-- rules:   days are pairs, counted from 1970-01-01: the day in the app's time zone and the storefront's fiscal day. Each
--          fact has the instant at which it was first known. A renewing term begins with its purchase or the end of the
--          previous period, whichever is later, and ends with its expiry. Grace adds nothing; an extension lengthens the
--          term from the day on which Apple signed it. A non-renewing term lasts as in the catalogue, or as its order grants
--          (functions/orders/pass_terms.sql). Other charges are earned on one day: the delivery, else the purchase. An
--          upgrade is the next purchase of the chain. Refunds and reversals are steps on separate days
--          (functions/charges/refund_steps.sql). Proceeds are stated by proved cells
--          (functions/finance/stated_proceeds.sql). Family, free and unpriced charges carry no money.
with app as (select entry.bundle_id, entry.zone from viewed_apps() as entry),
place as (select entry.storefront, entry.zone from fiscal_zones() as entry),
-- When an earlier version of an order reported the same delivery.
stated_delivery as (
    select order_versions.order_id, order_versions.delivered_at, min(batches.known_at) as known_at
    from order_versions
    inner join batches on batches.batch_id = order_versions.batch_id
    where order_versions.delivered_at is not null
    group by order_versions.order_id, order_versions.delivered_at
),
delivered as (
    select
        matched_orders.charge_id, orders.order_id, orders.delivered_at, least(batches.known_at, stated_delivery.known_at) as known_at
    from matched_orders
    inner join orders on orders.order_id = matched_orders.order_id
    inner join batches on batches.batch_id = orders.batch_id
    left join stated_delivery
        on stated_delivery.order_id = orders.order_id
        and stated_delivery.delivered_at = orders.delivered_at
),
period as (
    select
        charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.storefront, charges.purchased_at,
        charges.expires_at, charges.is_upgraded
    from charges
    where charges.environment = 'Production'
        and charges.type = 'auto_renewable'
        and charges.state <> 'family'
),
-- Dates during grace and billing retry are no extension, since a charge is still pending.
notice as (
    select infos.original_transaction_id, infos.bundle_id, infos.signed_at, infos.renewal_at, batches.known_at
    from renewal_infos_at(viewed_at(), null) as infos
    inner join batches on batches.batch_id = infos.batch_id
    where infos.environment = 'Production'
        and infos.renewal_at is not null
        and infos.is_in_billing_retry is not true
        and infos.grace_expires_at is null
),
-- Later period ends reported by Apple. Receipts truncate instants to the second.
extension as (
    -- A renewal date without a period end is the extended end of the latest period.
    select
        newest.original_transaction_id, newest.charge_id, newest.bundle_id, newest.signed_at, newest.renewal_at as ends_at,
        false as is_own, newest.known_at
    from (
        select distinct on (notice.original_transaction_id, notice.bundle_id, notice.signed_at, notice.renewal_at)
            period.*, notice.signed_at, notice.renewal_at, notice.known_at
        from notice
        inner join period
            on period.original_transaction_id = notice.original_transaction_id
            and period.bundle_id = notice.bundle_id
            and period.purchased_at <= notice.signed_at
        where not exists (
            select 1
            from period as ended
            where ended.original_transaction_id = notice.original_transaction_id
                and ended.bundle_id = notice.bundle_id
                and ended.expires_at = notice.renewal_at
        )
        order by
            notice.original_transaction_id, notice.bundle_id, notice.signed_at, notice.renewal_at, period.purchased_at desc,
            period.is_upgraded, period.charge_id, notice.known_at
    ) as newest
    where newest.renewal_at > newest.expires_at + interval '1 minute'
    union all
    -- Apple may report a transaction again with a later end.
    select entry.original_transaction_id, entry.charge_id, period.bundle_id, entry.signed_at, entry.expires_at, true, batches.known_at
    from (
        select transactions.original_transaction_id, transactions.charge_id
        from transactions
        where transactions.environment = 'Production'
            and transactions.type = 'auto_renewable'
        group by transactions.original_transaction_id, transactions.charge_id
        having max(transactions.expires_at) - min(transactions.expires_at) > interval '1 minute'
    ) as extended_charge
    inner join period
        on period.original_transaction_id = extended_charge.original_transaction_id
        and period.charge_id = extended_charge.charge_id
    inner join transactions as entry
        on entry.original_transaction_id = extended_charge.original_transaction_id
        and entry.charge_id = extended_charge.charge_id
        and entry.expires_at <= period.expires_at
    inner join batches on batches.batch_id = entry.batch_id
),
extended as (
    select
        dated.original_transaction_id, dated.charge_id, max(dated.ends_at) as ends_at,
        (array_agg(dated.ends_at order by dated.signed_at, dated.ends_at) filter (where dated.is_own))[1] as sold_until,
        string_agg(
            concat_ws(
                ',', day_pair(dated.signed_at, dated.zone, dated.fiscal_zone), day_pair(dated.ends_at, dated.zone, dated.fiscal_zone),
                day_pair(dated.known_at, dated.zone, dated.fiscal_zone)
            ),
            ' '
            order by dated.signed_at, dated.ends_at
        ) as extensions
    from (
        select extension.*, coalesce(app.zone, 'UTC') as zone, coalesce(place.zone, 'UTC') as fiscal_zone
        from extension
        inner join period
            on period.original_transaction_id = extension.original_transaction_id
            and period.charge_id = extension.charge_id
        left join app on app.bundle_id = extension.bundle_id
        left join place on place.storefront = coalesce(period.storefront, '')
        where extension.signed_at <= viewed_at()
    ) as dated
    group by dated.original_transaction_id, dated.charge_id
),
-- A charge is booked when its price was first known.
priced as (
    select
        transactions.original_transaction_id, transactions.charge_id, min(batches.known_at) as known_at,
        (array_agg(transactions.evidence_sha256 order by batches.known_at, transactions.evidence_sha256))[1] as evidence_sha256
    from transactions
    inner join batches on batches.batch_id = transactions.batch_id
    where transactions.environment = 'Production'
        and transactions.price_milliunits is not null
    group by transactions.original_transaction_id, transactions.charge_id
),
-- Charges older than an app's first batch are history and late in no period.
first_batch as (
    select charges.bundle_id, min(batches.known_at) as known_at
    from charges
    inner join batches on batches.batch_id = charges.batch_id
    where charges.environment = 'Production'
    group by charges.bundle_id
),
sold as (
    select
        charges.*, coalesce(priced.known_at, batches.known_at) as known_at, first_batch.known_at as begun_at, priced.evidence_sha256
    from charges
    inner join batches on batches.batch_id = charges.batch_id
    inner join first_batch on first_batch.bundle_id = charges.bundle_id
    left join priced
        on priced.original_transaction_id = charges.original_transaction_id
        and priced.charge_id = charges.charge_id
    where charges.environment = 'Production'
        and charges.purchased_at <= viewed_at()
),
step as materialized (
    select
        entry.charge_id, entry.original_transaction_id, entry.at, entry.known_at, entry.standing_milliunits, entry.step
    from refund_steps() as entry
    where entry.at <= viewed_at()
),
chain as (
    select
        sold.charge_id, sold.bundle_id, sold.product_id, sold.type, sold.state, sold.currency, sold.original_transaction_id,
        sold.web_order_line_item_id, sold.transaction_ids, sold.price_milliunits, sold.storefront, sold.purchased_at,
        sold.revoked_at, sold.reversed_at, sold.is_upgraded, sold.known_at, sold.begun_at, sold.evidence_sha256,
        min(sold.purchased_at) filter (where sold.type = 'auto_renewable' and sold.price_milliunits > 0)
            over (partition by sold.original_transaction_id, sold.bundle_id) as first_paid_at,
        coalesce(extended.sold_until, sold.expires_at) as expires_at,
        extended.extensions, lead(sold.purchased_at) over near as next_purchased_at, lead(sold.known_at) over near as next_known_at,
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
        chain.*, delivered.order_id, delivered.delivered_at, delivered.known_at as delivered_known_at, coalesce(app.zone, 'UTC') as zone,
        coalesce(place.zone, 'UTC') as fiscal_zone,
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
    left join place on place.storefront = coalesce(chain.storefront, '')
    left join products on products.bundle_id = chain.bundle_id and products.product_id = chain.product_id
),
dated as (
    select
        termed.*, coalesce(termed.term_to > termed.term_from, false) as has_term,
        coalesce(termed.price_milliunits, 0) * (termed.state not in ('family', 'free'))::integer as total
    from termed
),
-- Terms by the orders of passes, and proceeds by proved cells.
pass as (
    select
        entry.original_transaction_id, entry.charge_id,
        string_agg(
            concat_ws(
                ',', day_pair(entry.starts_at, dated.zone, dated.fiscal_zone), day_pair(entry.ends_at, dated.zone, dated.fiscal_zone),
                day_pair(entry.known_at, dated.zone, dated.fiscal_zone)
            ),
            ' '
            order by entry.known_at
        ) as terms
    from pass_terms() as entry
    inner join dated
        on dated.original_transaction_id = entry.original_transaction_id
        and dated.charge_id = entry.charge_id
    group by entry.original_transaction_id, entry.charge_id
),
stated_share as (
    select
        entry.*, day_pair(entry.as_of, dated.zone, dated.fiscal_zone) as days,
        coalesce(dated.first_paid_at <= dated.purchased_at - interval '1 year', false) as is_after_one_year,
        sum(entry.quantity) over (partition by entry.fiscal_period, entry.cell_id, entry.as_of) as units_known
    from stated_proceeds() as entry
    inner join dated
        on dated.original_transaction_id = entry.original_transaction_id
        and dated.charge_id = entry.charge_id
    where dated.known_at <= entry.as_of
),
proved as (
    select
        stated_share.original_transaction_id, stated_share.charge_id,
        string_agg(
            concat_ws(
                ',', stated_share.days,
                case
                    when stated_share.is_after_one_year then stated_share.greatest_milliunits else stated_share.least_milliunits
                end,
                stated_share.basis
            ),
            ' '
            order by stated_share.as_of, stated_share.fiscal_period, stated_share.cell_id
        ) as proceeds
    from stated_share
    where stated_share.units_known = stated_share.units
    group by stated_share.original_transaction_id, stated_share.charge_id
),
refunded_units as (
    select
        step.original_transaction_id, step.charge_id,
        string_agg(
            concat_ws(
                ',', day_pair(step.at, dated.zone, dated.fiscal_zone), day_pair(step.known_at, dated.zone, dated.fiscal_zone),
                step.standing_milliunits
            ),
            ' '
            order by step.step
        ) as steps
    from step
    inner join dated
        on dated.original_transaction_id = step.original_transaction_id
        and dated.charge_id = step.charge_id
    group by step.original_transaction_id, step.charge_id
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
    case when dated.has_term or pass.terms is not null then 'day' else 'point_in_time' end as method,
    dated.total as total_milliunits,
    currency_unit(dated.currency) as unit_milliunits,
    day_pair(viewed_at(), dated.zone, dated.fiscal_zone) as clock_days,
    day_pair(dated.begun_at, dated.zone, dated.fiscal_zone) as begun_days,
    day_pair(dated.known_at, dated.zone, dated.fiscal_zone) as known_days,
    day_pair(dated.purchased_at, dated.zone, dated.fiscal_zone) as booked_days,
    day_pair(case when dated.has_term then dated.term_from else dated.purchased_at end, dated.zone, dated.fiscal_zone) as start_days,
    day_pair(case when dated.has_term then dated.term_to end, dated.zone, dated.fiscal_zone) as end_days,
    case when dated.has_term then dated.extensions end as extensions,
    case
        when not dated.has_term and dated.delivered_at is not null
            then concat_ws(
                ',', day_pair(dated.delivered_at, dated.zone, dated.fiscal_zone),
                day_pair(dated.delivered_known_at, dated.zone, dated.fiscal_zone)
            )
    end as delivery,
    case when dated.total > 0 then refunded_units.steps end as refunds,
    case
        when dated.is_upgraded and dated.next_purchased_at < dated.term_to
            then concat_ws(
                ',', day_pair(dated.next_purchased_at, dated.zone, dated.fiscal_zone),
                day_pair(dated.next_known_at, dated.zone, dated.fiscal_zone)
            )
    end as upgrade,
    pass.terms,
    coalesce(dated.storefront, '') as storefront,
    (coalesce(dated.first_paid_at <= dated.purchased_at - interval '1 year', false))::integer as is_after_one_year,
    proved.proceeds as proved,
    encode(dated.evidence_sha256, 'hex') as evidence_sha256
from dated
left join pass
    on pass.original_transaction_id = dated.original_transaction_id
    and pass.charge_id = dated.charge_id
left join proved
    on proved.original_transaction_id = dated.original_transaction_id
    and proved.charge_id = dated.charge_id
left join refunded_units
    on refunded_units.original_transaction_id = dated.original_transaction_id
    and refunded_units.charge_id = dated.charge_id
order by
    dated.bundle_id collate "C", dated.original_transaction_id collate "C", dated.purchased_at, dated.charge_id collate "C";
