-- purpose: gathers the touched charges from all their observations: the newest signature gives the state.
-- parameters: none
-- grain:   one row per touched charge
insert into charges as known (
    original_transaction_id, charge_id, environment, bundle_id, product_id, type, state, ownership,
    web_order_line_item_id, app_account_token, storefront, currency, revocation_type, transaction_ids, quantity,
    offer_type, price_milliunits, refunded_milliunits, batch_id, is_renewal, is_upgraded, purchased_at, expires_at,
    revoked_at, reversed_at, signed_at
)
with touched as (
    select distinct staged_transaction.original_transaction_id, staged_transaction.charge_id
    from staged_transaction
    inner join fresh_evidence on fresh_evidence.sha256 = staged_transaction.evidence_sha256
),
observation as (
    select
        transactions.*,
        count(*) over (partition by transactions.original_transaction_id, transactions.charge_id) as observation_count
    from touched
    inner join transactions
        on transactions.original_transaction_id = touched.original_transaction_id
        and transactions.charge_id = touched.charge_id
),
newest as (
    select distinct on (original_transaction_id, charge_id) observation.*
    from observation
    -- Of two statements signed in the same millisecond the one with the refund is the later one.
    order by
        original_transaction_id, charge_id, signed_at desc, (revoked_at is null), evidence_sha256 desc
),
-- Most charges were told of once: only the others are worth an aggregation.
gathered as (
    select
        original_transaction_id,
        charge_id,
        array_agg(distinct transaction_id order by transaction_id) as transaction_ids,
        min(batch_id) as batch_id,
        min(purchased_at) as purchased_at,
        min(original_purchased_at) as original_purchased_at,
        bool_or(transaction_reason = 'RENEWAL') as is_said_renewal,
        bool_or(transaction_id = original_transaction_id) as has_original,
        bool_or(revoked_at is not null) as was_revoked,
        max(signed_at) filter (where revoked_at is not null) as last_revoked_signed_at,
        (
            array_agg(app_account_token order by signed_at desc, evidence_sha256 desc)
            filter (where app_account_token is not null)
        )[1] as app_account_token,
        (
            array_agg(price_milliunits order by signed_at desc, evidence_sha256 desc)
            filter (where price_milliunits is not null)
        )[1] as price_milliunits,
        (
            array_agg(currency order by signed_at desc, evidence_sha256 desc)
            filter (where currency is not null)
        )[1] as currency,
        (
            array_agg(storefront order by signed_at desc, evidence_sha256 desc)
            filter (where storefront is not null)
        )[1] as storefront,
        -- Receipts of StoreKit 1 tell neither type nor ownership.
        (array_agg(type order by signed_at desc, evidence_sha256 desc) filter (where type is not null))[1] as type,
        (
            array_agg(ownership order by signed_at desc, evidence_sha256 desc)
            filter (where ownership is not null)
        )[1] as ownership,
        (
            array_agg(offer_type order by signed_at desc, evidence_sha256 desc)
            filter (where offer_type is not null)
        )[1] as offer_type
    from observation
    where observation_count > 1
    group by original_transaction_id, charge_id
),
reversal as (
    select observation.original_transaction_id, observation.charge_id, min(observation.signed_at) as reversed_at
    from observation
    inner join gathered
        on gathered.original_transaction_id = observation.original_transaction_id
        and gathered.charge_id = observation.charge_id
    where observation.revoked_at is null
        and gathered.was_revoked
        and observation.signed_at > gathered.last_revoked_signed_at
    group by observation.original_transaction_id, observation.charge_id
)
select
    newest.original_transaction_id,
    newest.charge_id,
    newest.environment,
    newest.bundle_id,
    newest.product_id,
    known_kind.type,
    case
        when known_kind.ownership <> 'PURCHASED' then 'family'
        when newest.revoked_at is not null and coalesce(newest.revocation_percentage, 100000) < 100000
            then 'partly_refunded'
        when newest.revoked_at is not null then 'refunded'
        when coalesce(gathered.price_milliunits, newest.price_milliunits, case when newest.offer_discount_type = 'FREE_TRIAL' then 0 end) = 0
            then 'free'
        else 'charged'
    end,
    known_kind.ownership,
    newest.web_order_line_item_id,
    coalesce(gathered.app_account_token, newest.app_account_token),
    coalesce(gathered.storefront, newest.storefront),
    coalesce(gathered.currency, newest.currency),
    newest.revocation_type,
    coalesce(gathered.transaction_ids, array[newest.transaction_id]),
    newest.quantity,
    coalesce(gathered.offer_type, newest.offer_type),
    coalesce(gathered.price_milliunits, newest.price_milliunits),
    newest.refunded_milliunits,
    coalesce(gathered.batch_id, newest.batch_id),
    known_kind.type = 'auto_renewable'
    and coalesce(
        gathered.is_said_renewal, newest.transaction_reason = 'RENEWAL', not gathered.has_original,
        newest.transaction_id <> newest.original_transaction_id
    ),
    newest.is_upgraded,
    -- A restored purchase has a new instant and was paid at its first one.
    case
        when known_kind.type = 'auto_renewable' then coalesce(gathered.purchased_at, newest.purchased_at)
        else least(
            gathered.purchased_at, newest.purchased_at, gathered.original_purchased_at, newest.original_purchased_at
        )
    end,
    newest.expires_at,
    newest.revoked_at,
    reversal.reversed_at,
    newest.signed_at
from newest
left join gathered
    on gathered.original_transaction_id = newest.original_transaction_id
    and gathered.charge_id = newest.charge_id
cross join lateral (
    select
        coalesce(
            gathered.type, newest.type,
            -- What carries a line item or an expiry renews; nobody said so for the rest, and consumables are the most.
            case
                when newest.web_order_line_item_id is not null or newest.expires_at is not null then 'auto_renewable'
                else 'consumable'
            end
        ) as type,
        coalesce(gathered.ownership, newest.ownership, 'PURCHASED') as ownership
) as known_kind
left join reversal
    on reversal.original_transaction_id = newest.original_transaction_id
    and reversal.charge_id = newest.charge_id
on conflict (original_transaction_id, charge_id) do update
set
    product_id = excluded.product_id,
    type = excluded.type,
    state = excluded.state,
    ownership = excluded.ownership,
    web_order_line_item_id = excluded.web_order_line_item_id,
    app_account_token = excluded.app_account_token,
    storefront = excluded.storefront,
    currency = excluded.currency,
    revocation_type = excluded.revocation_type,
    transaction_ids = excluded.transaction_ids,
    quantity = excluded.quantity,
    offer_type = excluded.offer_type,
    price_milliunits = excluded.price_milliunits,
    refunded_milliunits = excluded.refunded_milliunits,
    batch_id = excluded.batch_id,
    is_renewal = excluded.is_renewal,
    is_upgraded = excluded.is_upgraded,
    purchased_at = excluded.purchased_at,
    expires_at = excluded.expires_at,
    revoked_at = excluded.revoked_at,
    reversed_at = excluded.reversed_at,
    signed_at = excluded.signed_at;
