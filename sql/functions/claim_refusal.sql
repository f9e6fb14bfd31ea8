-- purpose: why an order may not have a charge that it names (by transaction, line item or evidence); null when it may. A renewal
--          of the user's own subscription may be booked however late.
create or replace function payrecon.claim_refusal(
    order_bundle_id text, order_environment text, order_product_id text, order_user_id text,
    order_created_at timestamptz, charge_bundle_id text, charge_environment text, charge_product_id text,
    charge_owner text, charge_purchased_at timestamptz, is_renewal boolean, late interval
) returns text
language sql immutable parallel safe
return case
    when charge_bundle_id <> order_bundle_id then 'BUNDLE_DIFF'
    when charge_environment <> order_environment
        then case charge_environment when 'Production' then 'PROD_IN_SANDBOX' else 'SANDBOX_IN_PROD' end
    when charge_owner <> order_user_id then 'USER_DIFF'
    when charge_product_id <> order_product_id then 'PRODUCT_DIFF'
    when charge_purchased_at < order_created_at - late and not (is_renewal and charge_owner is not null)
        then 'LATE_VERIFICATION'
end;
