-- purpose: stores statements about transactions, and the charges that they concern.
-- grain:   one row per statement: a separately signed transaction once, a row of a receipt or answer once per containing item
with statement as (
    insert into transactions
    select distinct on (
        staged_transaction.original_transaction_id, staged_transaction.charge_id, staged_transaction.evidence_sha256,
        staged_transaction.signed_at
    )
        staged_transaction.original_transaction_id, staged_transaction.charge_id, staged_transaction.evidence_sha256,
        staged_transaction.transaction_id, staged_transaction.environment, staged_transaction.bundle_id,
        staged_transaction.product_id, staged_transaction.type, staged_transaction.ownership,
        staged_transaction.web_order_line_item_id, staged_transaction.subscription_group,
        staged_transaction.app_account_token, staged_transaction.transaction_reason, staged_transaction.storefront,
        staged_transaction.currency, staged_transaction.offer_discount_type, staged_transaction.revocation_type,
        staged_transaction.app_transaction_id, staged_transaction.quantity, staged_transaction.offer_type,
        staged_transaction.price_milliunits,
        case
            when staged_transaction.revoked_at is null or staged_transaction.ownership = 'FAMILY_SHARED' then 0
            else refunded_milliunits(
                staged_transaction.price_milliunits, staged_transaction.revocation_percentage, staged_transaction.currency,
                staged_transaction.items_refunded_milliunits
            )
        end,
        staged_transaction.revocation_percentage, staged_transaction.batch_id, staged_transaction.is_upgraded,
        staged_transaction.purchased_at, staged_transaction.original_purchased_at, staged_transaction.expires_at,
        staged_transaction.revoked_at, staged_transaction.signed_at, staged_transaction.stated_in,
        staged_transaction.items_refunded_milliunits
    from staged_transaction
    inner join informative_evidence on informative_evidence.sha256 = staged_transaction.evidence_sha256
    order by
        staged_transaction.original_transaction_id, staged_transaction.charge_id, staged_transaction.evidence_sha256,
        staged_transaction.signed_at
    on conflict do nothing
    returning original_transaction_id, charge_id
)
insert into stated_charge (original_transaction_id, charge_id)
select distinct original_transaction_id, charge_id
from statement;
