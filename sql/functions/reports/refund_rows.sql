-- purpose: what Apple gave back, took back from a family or gave back and then charged again, one by one, and what only our orders say was
--          given back; with the order that books it. The refund report reads it. Plain names: it tells of the present, or of the clock
--          that a transaction looks back to.
-- grain:   one row per charge of the Production
-- rules:   outcome: refunded, or charged again: reversed; where nobody paid (has_money): revoked, or given again: restored; only_ours.
--          Refunds are refunded and reversed, wherever they are counted. booking: applied (nothing stands in the order that should not,
--          or of a reversal nothing is missing), not_applied, no_order, only_ours. Months are those of the app's time zone, fiscal
--          periods those of the storefront's day, as the tie-out has it. given_milliunits is worked out anew from Apple's words,
--          refunded_milliunits is what the charge says, so that the report can hold one against the other.
create or replace function payrecon.refund_rows() returns table (
    outcome text, booking text, refund_day date, refund_period text, purchase_day date, purchase_period text, reversal_day date,
    reversal_period text, bundle_id text, product_id text, type text, storefront text, currency text, transaction_id text,
    charge_id text, original_transaction_id text, web_order_line_item_id text, order_id text, user_id text, quantity integer,
    price_milliunits bigint, refund_type text, revocation_percentage bigint, refunded_milliunits bigint, given_milliunits bigint,
    revocation_reason text, purchased_at timestamptz, given_at timestamptz, reversed_at timestamptz, seen_at timestamptz,
    order_status text, refunded_at timestamptz
)
language sql stable parallel safe
as $$
    with app as (
        select told.bundle_id, told.zone from payrecon.viewed_apps() as told
    ),
    given as materialized (
        select charges.*
        from charges
        where charges.environment = 'Production'
            and (charges.revoked_at <= (select payrecon.viewed_at()) or charges.reversed_at <= (select payrecon.viewed_at()))
    ),
    -- Of whose refund only we know.
    ours as (
        select matched_orders.original_transaction_id, matched_orders.charge_id
        from orders
        inner join matched_orders on matched_orders.order_id = orders.order_id
        where orders.environment = 'Production'
            and (orders.status = 'refunded' or orders.refunded_at is not null)
    ),
    charge as materialized (
        select given.* from given
        union all
        select charges.*
        from ours
        inner join charges
            on charges.original_transaction_id = ours.original_transaction_id
            and charges.charge_id = ours.charge_id
        where charges.environment = 'Production'
            and charges.state <> 'family'
            and charges.revoked_at is null
            and charges.reversed_at is null
    ),
    pair as materialized (
        select matches.charge_id, matches.order_id
        from charge
        inner join matches
            on matches.original_transaction_id = charge.original_transaction_id
            and matches.charge_id = charge.charge_id
    ),
    booked as (
        select pair.charge_id, orders.order_id, orders.user_id, orders.status, orders.refunded_at
        from pair
        inner join orders on orders.order_id = pair.order_id
    ),
    -- Every word of Apple's about the refund; a transaction id may have been told under another key of the same charge.
    told as materialized (
        select
            charge.charge_id, transactions.transaction_id, transactions.revoked_at, transactions.revocation_percentage,
            transactions.items_refunded_milliunits, transactions.stated_in, transactions.signed_at, transactions.evidence_sha256
        from charge
        inner join transactions on transactions.original_transaction_id = charge.original_transaction_id
        where transactions.transaction_id = any(charge.transaction_ids)
            and transactions.revoked_at is not null
            and transactions.bundle_id = charge.bundle_id
            and transactions.environment = 'Production'
            -- On a receipt the cancellation of an upgraded term is the upgrade.
            and (transactions.stated_in = 'transaction' or not transactions.is_upgraded)
    ),
    -- How much was given back is said of one refund: of the one that was told last.
    newest as (
        select distinct on (told.charge_id) told.charge_id, told.revoked_at
        from told
        where told.stated_in = 'transaction'
        order by told.charge_id asc, told.signed_at desc, told.evidence_sha256 desc
    ),
    said as (
        select
            told.*, case when told.revoked_at = newest.revoked_at then told.revocation_percentage end as percentage,
            case when told.revoked_at = newest.revoked_at then told.items_refunded_milliunits end as items_milliunits
        from told
        left join newest on newest.charge_id = told.charge_id
    ),
    heard as (
        select
            said.charge_id,
            min(evidence.received_at) as seen_at,
            max(said.revoked_at) as revoked_at,
            (array_agg(said.transaction_id order by said.signed_at desc, said.evidence_sha256 desc))[1] as transaction_id,
            (
                array_agg(said.percentage order by said.signed_at desc, said.evidence_sha256 desc)
                filter (where said.percentage is not null)
            )[1] as revocation_percentage,
            (
                array_agg(said.items_milliunits order by said.signed_at desc, said.evidence_sha256 desc)
                filter (where said.items_milliunits is not null)
            )[1] as items_milliunits,
            max(
                case
                    when said.stated_in = 'transaction'
                        then payrecon.signed_field(
                            signed_headers.frame, evidence.body, evidence.unpacked_length, 'revocationReason'
                        )
                end
            ) as revocation_reason
        from said
        inner join evidence on evidence.sha256 = said.evidence_sha256
        left join signed_headers on signed_headers.header_key = evidence.header_key
        group by said.charge_id
    ),
    named as (
        select
            charge.*, heard.revocation_percentage, heard.items_milliunits, heard.revocation_reason, heard.seen_at,
            booked.order_id, booked.user_id,
            booked.status, booked.refunded_at,
            case
                when num_nonnulls(charge.revoked_at, charge.reversed_at) = 0 then 'only_ours'
                when payrecon.has_money(charge.state, charge.price_milliunits)
                    then case when charge.revoked_at is null then 'reversed' else 'refunded' end
                when charge.revoked_at is null then 'restored'
                else 'revoked'
            end as outcome,
            coalesce(heard.transaction_id, charge.transaction_ids[1]) as transaction_id,
            coalesce(charge.revoked_at, heard.revoked_at, booked.refunded_at, charge.purchased_at) as given_at,
            coalesce(app.zone, 'UTC') as zone, coalesce(place.zone, 'UTC') as apple_zone
        from charge
        left join heard on heard.charge_id = charge.charge_id
        left join booked on booked.charge_id = charge.charge_id
        left join app on app.bundle_id = charge.bundle_id
        left join payrecon.day_zones() as place on place.storefront = coalesce(charge.storefront, '')
    )
    select
        named.outcome,
        case
            when named.outcome = 'only_ours' then 'only_ours'
            when named.order_id is null then 'no_order'
            when named.outcome in ('reversed', 'restored')
                then case
                    when named.status in ('refunded', 'revoked') or named.refunded_at is not null then 'not_applied' else 'applied'
                end
            when named.status in ('paid', 'delivered') and named.refunded_at is null then 'not_applied'
            else 'applied'
        end,
        (named.given_at at time zone named.zone)::date,
        payrecon.fiscal_period_of((named.given_at at time zone named.apple_zone)::date),
        (named.purchased_at at time zone named.zone)::date,
        payrecon.fiscal_period_of((named.purchased_at at time zone named.apple_zone)::date),
        (named.reversed_at at time zone named.zone)::date,
        payrecon.fiscal_period_of((named.reversed_at at time zone named.apple_zone)::date),
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
        named.revocation_reason, named.purchased_at, named.given_at, named.reversed_at, named.seen_at, named.status, named.refunded_at
    from named
$$;
