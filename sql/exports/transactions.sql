-- purpose: export of Apple's signed transactions.
-- grain:   one row per transaction, evidence item and instant of the statement
select
    transactions.transaction_id, transactions.original_transaction_id, transactions.web_order_line_item_id,
    transactions.environment, transactions.bundle_id, transactions.product_id, transactions.type, transactions.charge_id,
    transactions.ownership, transactions.transaction_reason,
    rfc3339(transactions.purchased_at) as purchased_at,
    rfc3339(transactions.expires_at) as expires_at,
    transactions.quantity, transactions.price_milliunits, transactions.currency, transactions.storefront,
    transactions.app_account_token, transactions.offer_type,
    rfc3339(transactions.revoked_at) as revoked_at,
    transactions.revocation_type, transactions.revocation_percentage, transactions.refunded_milliunits,
    rfc3339(transactions.signed_at) as signed_at,
    encode(transactions.evidence_sha256, 'hex') as evidence_sha256
from transactions
order by
    transactions.environment, transactions.bundle_id, transactions.original_transaction_id,
    transactions.transaction_id, transactions.signed_at, transactions.evidence_sha256;
