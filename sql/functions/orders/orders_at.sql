-- purpose: Returns orders as known at a clock, including versions replaced since.
create or replace function payrecon.orders_at(clock timestamptz) returns setof payrecon.orders
language sql stable parallel safe
as $$
    with later as (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    -- Without later facts nothing is compared.
    select orders.*
    from payrecon.orders
    where not (select exists (select 1 from later))
    union all
    select orders.*
    from payrecon.orders
    where (select exists (select 1 from later))
        and orders.batch_id not in (select later.batch_id from later)
    union all
    select
        order_id, bundle_id, product_id, user_id, status, environment, currency, storefront, app_account_token,
        application_username, transaction_id, original_transaction_id, web_order_line_item_id, device_id,
        evidence_sha256, operator_id, quantity, price_milliunits, content_hash, batch_id, created_at, updated_at,
        paid_at, delivered_at, refunded_at, entitlement_expires_at, null, consumption_millipercent, consumption_consent,
        null
    from payrecon.order_versions
    where replaced_by_batch_id in (select later.batch_id from later)
        and batch_id not in (select later.batch_id from later)
$$;
