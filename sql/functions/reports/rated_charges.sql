-- purpose: Returns the paid purchases of the last 24 months, from which refund rates are counted.
-- grain:   one row per Production charge
create or replace function payrecon.rated_charges() returns table (
    bundle_id text, product_id text, type text, purchased_on date, currency text, charge_id text, transaction_id text,
    purchased_at timestamptz, state text, price_milliunits bigint, refunded_milliunits bigint
)
language sql stable parallel safe
as $$
    select
        charges.bundle_id, charges.product_id, charges.type,
        (charges.purchased_at at time zone coalesce(app.zone, 'UTC'))::date, coalesce(charges.currency, ''),
        charges.charge_id, charges.transaction_ids[1], charges.purchased_at, charges.state, charges.price_milliunits,
        charges.refunded_milliunits
    from charges
    left join payrecon.viewed_apps() as app on app.bundle_id = charges.bundle_id
    where charges.environment = 'Production'
        and payrecon.has_money(charges.state, charges.price_milliunits)
        and charges.purchased_at <= payrecon.viewed_at()
        and charges.purchased_at > payrecon.viewed_at() - interval '24 months'
$$;
