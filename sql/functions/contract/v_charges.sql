-- purpose: charges for other programs: the columns of the export, as values. At a clock, and now.
create or replace function payrecon.v_charges_at(clock timestamptz) returns table (
    charge_id text, environment text, bundle_id text, product_id text, type text, original_transaction_id text,
    web_order_line_item_id text, transaction_ids text, purchased_at timestamptz, expires_at timestamptz,
    quantity integer, price_milliunits bigint, currency text, storefront text, ownership text, state text,
    refunded_milliunits bigint, app_account_token text, revoked_at timestamptz, is_renewal boolean
)
language sql stable parallel safe
as $$
    select
        charges.charge_id, charges.environment, charges.bundle_id, charges.product_id, charges.type,
        charges.original_transaction_id, charges.web_order_line_item_id,
        array_to_string(charges.transaction_ids, ' '), charges.purchased_at, charges.expires_at, charges.quantity,
        charges.price_milliunits, charges.currency, charges.storefront, charges.ownership, charges.state,
        charges.refunded_milliunits, charges.app_account_token, charges.revoked_at, charges.is_renewal
    from payrecon.charges_at(clock) as charges
$$;

create or replace view payrecon.v_charges with (security_invoker = true) as
select * from payrecon.v_charges_at('infinity');
