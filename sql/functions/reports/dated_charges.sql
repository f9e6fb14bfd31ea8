-- purpose: charges as the daily summary counts them: of which kind each is, and the business day of its app on which it was made.
--          It reads payrecon.summed_charges by its plain name: it tells of the present, of the clock that a transaction looks back to,
--          or of some charges alone.
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
        select told.bundle_id, told.zone, (payrecon.viewed_at() at time zone told.zone)::date - 1 as business_day
        from payrecon.viewed_apps() as told
    ) as app on app.bundle_id = charges.bundle_id
$$;
