-- purpose: Returns the rows that the renewal report aggregates: every member of the frozen plans with its outcome, every
--          charge of the actual side, taken from the charges themselves, and every forecast.
-- grain:   one row per figure and contributing member, charge or forecast, for the plans of the last 62 days and later ones;
--          figures that start with a dot are no report columns
create or replace function payrecon.renewal_rows() returns table (
    bundle_id text, due_day date, product_id text, storefront text, currency text, figure text, original_transaction_id text,
    charge_id text, order_id text, outcome text, subscription_group text, value bigint
)
language sql stable parallel safe
as $$
    with plan as (
        select *
        from renewal_plans
        where renewal_plans.frozen_at <= (select payrecon.viewed_at())
            and renewal_plans.day_to > (select payrecon.viewed_at()) - interval '62 days'
    ),
    settled as (select * from payrecon.renewal_outcomes_at(payrecon.viewed_at()) as outcome_row),
    followed as materialized (
        select
            member.*, settled.outcome, settled.charge_id as renewal_id, settled.order_id, settled.actual_milliunits,
            settled.has_charge, settled.has_order_without_renewal, settled.has_entitlement_overrun
        from renewal_plan_members as member
        inner join plan using (bundle_id, due_day)
        left join settled using (original_transaction_id, bundle_id, due_day)
    ),
    renewal as (
        select
            charges.charge_id, charges.original_transaction_id, charges.bundle_id, charges.product_id,
            coalesce(charges.storefront, '') as storefront, coalesce(charges.currency, '') as currency,
            coalesce(charges.price_milliunits, 0) as price_milliunits, charges.purchased_at
        from charges
        inner join batches on batches.batch_id = charges.batch_id
        where batches.known_at <= (select payrecon.viewed_at())
            and charges.environment = 'Production'
            and charges.ownership = 'PURCHASED'
            and charges.is_renewal
    ),
    claimed as (select distinct settled.charge_id from settled where settled.has_charge),
    -- Apple's charges: those of members under the member's cell, others under their own.
    charged as (
        select
            followed.bundle_id, followed.due_day, followed.product_id, followed.storefront, followed.currency,
            renewal.original_transaction_id, renewal.charge_id, 1 as charge_count, 0 as outside_count,
            case when renewal.currency = followed.currency then renewal.price_milliunits else 0 end as milliunits,
            0::bigint as outside_milliunits
        from followed
        inner join renewal on renewal.charge_id = followed.renewal_id
        union all
        select
            followed.bundle_id, followed.due_day, renewal.product_id, renewal.storefront, renewal.currency,
            renewal.original_transaction_id, renewal.charge_id, 0, 0, renewal.price_milliunits, renewal.price_milliunits
        from followed
        inner join renewal on renewal.charge_id = followed.renewal_id
        where renewal.currency <> followed.currency
        union all
        select
            plan.bundle_id, plan.due_day, renewal.product_id, renewal.storefront, renewal.currency,
            renewal.original_transaction_id, renewal.charge_id, 1, 1, renewal.price_milliunits, renewal.price_milliunits
        from plan
        inner join renewal
            on renewal.bundle_id = plan.bundle_id
            and renewal.purchased_at >= plan.day_from
            and renewal.purchased_at < plan.day_to
        left join claimed on claimed.charge_id = renewal.charge_id
        where claimed.charge_id is null
    )
    select
        followed.bundle_id, followed.due_day, followed.product_id, followed.storefront, followed.currency, part.figure,
        followed.original_transaction_id, followed.renewal_id, followed.order_id, followed.outcome, followed.subscription_group,
        part.value
    from followed
    cross join lateral (values
        ('due_count', 1::bigint), ('due_amount_milliunits', followed.due_milliunits),
        ('auto_renew_on', followed.is_renewing::integer), ('auto_renew_off', (not followed.is_renewing)::integer),
        ('price_increase_pending', followed.is_price_increase_pending::integer),
        ('in_retry_at_plan', followed.is_in_retry::integer), ('in_grace_at_plan', followed.is_in_grace::integer),
        ('offer_to_full_price', followed.is_offer_to_full_price::integer),
        -- Every member has one outcome, or is unpolled or not yet due.
        (
            case
                when followed.outcome in ('renewed_on_time', 'renewed_in_grace', 'recovered_retry') then followed.outcome || '_count'
                when followed.outcome is not null then followed.outcome
                when followed.expires_at > (select payrecon.viewed_at()) then 'not_yet_due'
                else 'unpolled'
            end, 1
        ),
        (
            case
                when followed.outcome in ('renewed_on_time', 'renewed_in_grace', 'recovered_retry')
                    then followed.outcome || '_amount_milliunits'
                when followed.outcome in ('upgraded', 'downgraded', 'crossgraded') then 'renewed_changed_amount_milliunits'
            end, followed.actual_milliunits
        ),
        (
            'renewed_changed_count',
            (followed.outcome in ('upgraded', 'downgraded', 'crossgraded') and followed.has_charge)::integer
        ),
        ('.renewed_count', followed.has_charge::integer),
        ('.renewed_due_milliunits', case when followed.has_charge then followed.due_milliunits end),
        (
            'price_variance_milliunits',
            case when followed.has_charge then coalesce(followed.actual_milliunits, 0) - followed.due_milliunits end
        ),
        ('order_created_count', (followed.order_id is not null)::integer),
        ('renewed_no_order', (followed.has_charge and followed.order_id is null)::integer),
        ('order_no_renewal', followed.has_order_without_renewal::integer),
        ('entitlement_overrun_count', followed.has_entitlement_overrun::integer)
    ) as part (figure, value)
    where part.figure is not null
        and part.value <> 0
    union all
    select
        charged.bundle_id, charged.due_day, charged.product_id, charged.storefront, charged.currency, part.figure,
        charged.original_transaction_id, charged.charge_id, null, null, null, part.value
    from charged
    cross join lateral (values
        ('actual_count', charged.charge_count::bigint), ('actual_amount_milliunits', charged.milliunits),
        ('not_in_plan_count', charged.outside_count), ('not_in_plan_amount_milliunits', charged.outside_milliunits),
        ('diff_count', charged.charge_count), ('diff_amount_milliunits', charged.milliunits), ('.charged', 1)
    ) as part (figure, value)
    where part.value <> 0
    union all
    select
        renewal_forecasts.bundle_id, renewal_forecasts.due_day, renewal_forecasts.product_id, renewal_forecasts.storefront,
        renewal_forecasts.currency, part.figure, null, null, null, 'forecast', null, part.value
    from renewal_forecasts
    inner join plan using (bundle_id, due_day)
    cross join lateral (values
        ('forecast_count', renewal_forecasts.forecast_count::bigint),
        ('forecast_amount_milliunits', renewal_forecasts.forecast_milliunits::bigint),
        ('forecast_low', renewal_forecasts.low_count::bigint), ('forecast_high', renewal_forecasts.high_count::bigint),
        ('diff_count', -renewal_forecasts.forecast_count::bigint),
        ('diff_amount_milliunits', -renewal_forecasts.forecast_milliunits::bigint)
    ) as part (figure, value)
    where part.value <> 0
$$;
