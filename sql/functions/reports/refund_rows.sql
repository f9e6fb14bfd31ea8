-- purpose: Returns each charge that Apple refunded, revoked from a family, or refunded and then charged again, and each that
--          only our orders state as refunded; with the order that books it.
-- grain:   one row per Production charge
-- rules:   outcome: refunded, or reversed if charged again; for unpaid charges (has_money) revoked, or restored if granted
--          again; only_ours. Refunds are always counted as refunded and reversed. booking: applied (the order agrees; after
--          a reversal nothing is missing), not_applied, no_order, only_ours. Months are those of the app's time zone, fiscal
--          periods those of the storefront's day as in the tie-out. given_milliunits is recomputed from Apple's statements,
--          refunded_milliunits comes from the charge, so that the report can compare them.
create or replace function payrecon.refund_rows() returns table (
    outcome text, booking text, refund_day date, refund_period text, purchase_day date, purchase_period text, bundle_id text,
    product_id text, type text, storefront text, currency text, transaction_id text, charge_id text, original_transaction_id text,
    web_order_line_item_id text, order_id text, user_id text, quantity integer, price_milliunits bigint, refund_type text,
    revocation_percentage bigint, refunded_milliunits bigint, given_milliunits bigint, revocation_reason text,
    given_at timestamptz, reversed_at timestamptz, seen_at timestamptz, order_status text, refunded_at timestamptz
)
language sql stable parallel safe
as $$
    with refund as materialized (
        select charges.*
        from charges
        where charges.environment = 'Production'
            and (charges.revoked_at <= (select payrecon.viewed_at()) or charges.reversed_at <= (select payrecon.viewed_at()))
    ),
    -- Refunds known only from our orders.
    ours as (
        select matched_orders.original_transaction_id, matched_orders.charge_id
        from orders
        inner join matched_orders on matched_orders.order_id = orders.order_id
        where orders.environment = 'Production'
            and (orders.status = 'refunded' or orders.refunded_at is not null)
    ),
    charge as materialized (
        select refund.* from refund
        union all
        select charges.*
        from ours
        inner join charges using (original_transaction_id, charge_id)
        where charges.environment = 'Production'
            and charges.state <> 'family'
            and charges.revoked_at is null
            and charges.reversed_at is null
    ),
    pair as materialized (
        select matches.charge_id, matches.order_id
        from charge
        inner join matches using (original_transaction_id, charge_id)
    ),
    booked as (
        select pair.charge_id, orders.order_id, orders.user_id, orders.status, orders.updated_at, orders.delivered_at, orders.refunded_at
        from pair
        inner join orders on orders.order_id = pair.order_id
    ),
    -- All of Apple's statements about the refund; a transaction id may have been reported under another key of the same charge.
    statement as materialized (
        select
            charge.charge_id, transactions.transaction_id, transactions.revoked_at, transactions.revocation_percentage,
            transactions.items_refunded_milliunits, transactions.stated_in, transactions.signed_at, transactions.evidence_sha256,
            transactions.revoked_at = coalesce(
                charge.revoked_at, max(transactions.revoked_at) over (partition by charge.charge_id)
            ) as is_of_given
        from charge
        inner join transactions on transactions.original_transaction_id = charge.original_transaction_id
        where transactions.transaction_id = any(charge.transaction_ids)
            and transactions.revoked_at is not null
            and transactions.bundle_id = charge.bundle_id
            and transactions.environment = 'Production'
            -- On a receipt the cancellation of an upgraded term is the upgrade.
            and (transactions.stated_in = 'transaction' or not transactions.is_upgraded)
    ),
    -- The refunded amount belongs to one refund: the one reported last.
    newest as (
        select distinct on (statement.charge_id) statement.charge_id, statement.revoked_at
        from statement
        where statement.stated_in = 'transaction'
        order by statement.charge_id asc, statement.signed_at desc, statement.evidence_sha256 desc
    ),
    -- The first of several uploads need not be the one that was read first.
    delivered as (
        select uploads.sha256, min(uploads.received_at) as received_at
        from (select distinct statement.evidence_sha256 from statement) as cited
        inner join uploads on uploads.sha256 = cited.evidence_sha256
        group by uploads.sha256
    ),
    summary as (
        select
            statement.charge_id,
            -- A charge may have several refunds; given_at states this one.
            coalesce(
                min(least(evidence.received_at, delivered.received_at)) filter (where statement.is_of_given),
                min(least(evidence.received_at, delivered.received_at))
            ) as seen_at,
            max(statement.revoked_at) as revoked_at,
            (array_agg(statement.transaction_id order by statement.signed_at desc, statement.evidence_sha256 desc))[1] as transaction_id,
            (
                array_agg(statement.revocation_percentage order by statement.signed_at desc, statement.evidence_sha256 desc)
                filter (where statement.revoked_at = newest.revoked_at and statement.revocation_percentage is not null)
            )[1] as revocation_percentage,
            (
                array_agg(statement.items_refunded_milliunits order by statement.signed_at desc, statement.evidence_sha256 desc)
                filter (where statement.revoked_at = newest.revoked_at and statement.items_refunded_milliunits is not null)
            )[1] as items_milliunits,
            max(
                payrecon.signed_field(signed_headers.frame, evidence.body, evidence.unpacked_length, 'revocationReason')
            ) filter (where statement.stated_in = 'transaction') as revocation_reason
        from statement
        left join newest on newest.charge_id = statement.charge_id
        inner join evidence on evidence.sha256 = statement.evidence_sha256
        left join delivered on delivered.sha256 = statement.evidence_sha256
        left join signed_headers on signed_headers.header_key = evidence.header_key
        group by statement.charge_id
    ),
    named as (
        select
            charge.*, summary.revocation_percentage, summary.items_milliunits, summary.revocation_reason, summary.seen_at,
            booked.order_id, booked.user_id, booked.status, booked.updated_at, booked.delivered_at, booked.refunded_at,
            case
                when num_nonnulls(charge.revoked_at, charge.reversed_at) = 0 then 'only_ours'
                when payrecon.has_money(charge.state, charge.price_milliunits)
                    then case when charge.revoked_at is null then 'reversed' else 'refunded' end
                when charge.revoked_at is null then 'restored'
                else 'revoked'
            end as outcome,
            coalesce(summary.transaction_id, charge.transaction_ids[1]) as transaction_id,
            coalesce(charge.revoked_at, summary.revoked_at, booked.refunded_at, charge.purchased_at) as given_at,
            coalesce(app.zone, 'UTC') as zone, coalesce(place.zone, 'UTC') as apple_zone
        from charge
        left join summary on summary.charge_id = charge.charge_id
        left join booked on booked.charge_id = charge.charge_id
        left join payrecon.viewed_apps() as app on app.bundle_id = charge.bundle_id
        left join payrecon.day_zones() as place on place.storefront = coalesce(charge.storefront, '')
    )
    select
        named.outcome,
        case
            when named.outcome = 'only_ours' then 'only_ours'
            when named.order_id is null then 'no_order'
            when named.outcome in ('reversed', 'restored')
                then case
                    when payrecon.is_unrestored(named.status, named.updated_at, named.refunded_at, named.reversed_at) then 'not_applied'
                    else 'applied'
                end
            when named.refunded_at is null and payrecon.is_current_sale(named.status, named.delivered_at) then 'not_applied'
            else 'applied'
        end,
        (named.given_at at time zone named.zone)::date,
        payrecon.fiscal_period_of((named.given_at at time zone named.apple_zone)::date),
        (named.purchased_at at time zone named.zone)::date,
        payrecon.fiscal_period_of((named.purchased_at at time zone named.apple_zone)::date),
        named.bundle_id, named.product_id, named.type, named.storefront, coalesce(named.currency, ''), named.transaction_id,
        named.charge_id, named.original_transaction_id, named.web_order_line_item_id, named.order_id, named.user_id, named.quantity,
        named.price_milliunits,
        case
            when named.outcome = 'only_ours' then null
            when named.state = 'family' then 'family'
            when coalesce(named.items_milliunits < named.price_milliunits, named.revocation_percentage < 100000) then 'prorated'
            else 'full'
        end,
        named.revocation_percentage, named.refunded_milliunits,
        case
            when named.outcome in ('refunded', 'reversed')
                then payrecon.refunded_milliunits(
                    named.price_milliunits, named.revocation_percentage, named.currency, named.items_milliunits
                )
        end,
        named.revocation_reason, named.given_at, named.reversed_at, named.seen_at, named.status, named.refunded_at
    from named
$$;
