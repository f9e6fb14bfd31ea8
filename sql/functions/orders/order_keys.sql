-- purpose: The ids that orders name, in each of their versions.
-- grain:   one row per order and version
create or replace view payrecon.order_keys with (security_invoker = true) as
select
    order_id, user_id, app_account_token, device_id, transaction_id, web_order_line_item_id, original_transaction_id,
    evidence_sha256, operator_id
from payrecon.orders
union all
select
    order_id, user_id, app_account_token, device_id, transaction_id, web_order_line_item_id, original_transaction_id,
    evidence_sha256, operator_id
from payrecon.order_versions;
