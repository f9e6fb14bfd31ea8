-- purpose: charges for the ladder.
-- grain:   one row per charge
select
    charge_id, environment, bundle_id, product_id, original_transaction_id,
    transaction_ids[1] as transaction_id,
    type = 'auto_renewable' as is_renewable,
    ownership <> 'PURCHASED' as is_family_shared,
    web_order_line_item_id, app_account_token,
    quantity::bigint,
    purchased_at, expires_at, is_renewal
from in_charges;
