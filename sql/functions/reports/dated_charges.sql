-- purpose: Returns charges for the daily summary, each with its kind and its business day in the app's time zone. Reads
--          payrecon.summed_charges without its schema name: the present, the transaction's past clock, or selected charges.
-- grain:   one row per charge
create or replace function payrecon.dated_charges() returns table (
    original_transaction_id text, charge_id text, bundle_id text, environment text, currency text, price_milliunits bigint,
    refunded_milliunits bigint, revoked_at timestamptz, reversed_at timestamptz, purchased_at timestamptz, kind text, zone text,
    business_day date, local_day date
)
language sql stable parallel safe
as $$
    select
        charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.environment, coalesce(charges.currency, ''),
        charges.price_milliunits, charges.refunded_milliunits, charges.revoked_at, charges.reversed_at, charges.purchased_at,
        case
            when charges.environment <> 'Production' then 'sandbox'
            when charges.state = 'family' then 'family'
            when charges.state = 'free' then 'zero_price'
            else 'money'
        end,
        coalesce(app.zone, 'UTC'),
        coalesce(app.business_day, (select (payrecon.viewed_at() at time zone 'UTC')::date - 1)),
        (charges.purchased_at at time zone coalesce(app.zone, 'UTC'))::date
    from summed_charges as charges
    left join (
        select entry.*
        from payrecon.viewed_apps() as entry
        -- Computes the business day for each app, not for each charge.
        offset 0
    ) as app on app.bundle_id = charges.bundle_id
$$;
