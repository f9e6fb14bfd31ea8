-- purpose: export of charges, each one payment by one customer.
-- grain:   one row per charge
select
    charges.charge_id, charges.environment, charges.bundle_id, charges.product_id, charges.type, charges.original_transaction_id,
    charges.web_order_line_item_id,
    array_to_string(charges.transaction_ids, ' ') as transaction_ids,
    rfc3339(charges.purchased_at) as purchased_at,
    rfc3339(charges.expires_at) as expires_at,
    charges.quantity, charges.price_milliunits, charges.currency, charges.storefront, charges.ownership, charges.state,
    charges.refunded_milliunits, charges.app_account_token,
    rfc3339(charges.revoked_at) as revoked_at,
    charges.is_renewal
from charges
order by
    charges.environment, charges.bundle_id, charges.original_transaction_id, charges.purchased_at, charges.charge_id;
