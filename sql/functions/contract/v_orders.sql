-- purpose: orders for other programs: the columns of the export, as values. At a clock, and now.
create or replace function payrecon.v_orders_at(clock timestamptz) returns table (
    order_id text, bundle_id text, product_id text, user_id text, status text, created_at timestamptz,
    updated_at timestamptz, environment text, quantity integer, price_milliunits bigint, currency text, storefront text,
    paid_at timestamptz, delivered_at timestamptz, refunded_at timestamptz, entitlement_expires_at timestamptz,
    app_account_token text, application_username text, transaction_id text, original_transaction_id text,
    web_order_line_item_id text, device_id text, evidence_sha256 text, operator_id text,
    consumption_consent boolean, consumption_millipercent integer
)
language sql stable parallel safe
as $$
    select
        orders.order_id, orders.bundle_id, orders.product_id, orders.user_id, orders.status, orders.created_at,
        orders.updated_at, orders.environment, orders.quantity, orders.price_milliunits, orders.currency,
        orders.storefront, orders.paid_at, orders.delivered_at, orders.refunded_at, orders.entitlement_expires_at,
        orders.app_account_token, orders.application_username, orders.transaction_id, orders.original_transaction_id,
        orders.web_order_line_item_id, orders.device_id, encode(orders.evidence_sha256, 'hex'),
        orders.operator_id, orders.consumption_consent, orders.consumption_millipercent
    from payrecon.orders_at(clock) as orders
$$;

create or replace view payrecon.v_orders with (security_invoker = true) as
select * from payrecon.v_orders_at('infinity');
