-- purpose: renewals forecast against actual: each frozen plan's cells, what became of their members, and why the money
--          differs from the forecast. The actual side is counted from the charges themselves, apart from the outcomes.
-- parameters: as_of (timestamptz)
-- grain:   one row per due day x app x product x storefront x currency, of the plans of the last 62 days and to come
with plan as (
    select *
    from renewal_plans
    where frozen_at <= :'as_of'::timestamptz
        and day_to > :'as_of'::timestamptz - interval '62 days'
),
member as (
    select renewal_plan_members.*
    from renewal_plan_members
    inner join plan
        on plan.bundle_id = renewal_plan_members.bundle_id
        and plan.due_day = renewal_plan_members.due_day
),
settled as (
    select * from renewal_outcomes_at(:'as_of'::timestamptz)
),
followed as (
    select
        member.*, settled.outcome, settled.charge_id as renewal_id, settled.order_id, settled.actual_milliunits,
        coalesce(settled.has_charge, false) as has_charge,
        coalesce(settled.has_order_without_renewal, false) as has_order_without_renewal,
        coalesce(settled.has_entitlement_overrun, false) as has_entitlement_overrun
    from member
    left join settled
        on settled.original_transaction_id = member.original_transaction_id
        and settled.bundle_id = member.bundle_id
        and settled.due_day = member.due_day
),
due as (
    select
        bundle_id, due_day, product_id, storefront, currency, min(subscription_group) as subscription_group,
        count(*) as due_count, sum(due_milliunits) as due_milliunits,
        count(*) filter (where is_renewing) as on_count, count(*) filter (where not is_renewing) as off_count,
        count(*) filter (where is_price_increase_pending) as price_increase_count,
        count(*) filter (where is_in_retry) as retry_count, count(*) filter (where is_in_grace) as grace_count,
        count(*) filter (where is_offer_to_full_price) as offer_count,
        count(*) filter (where outcome = 'renewed_on_time') as on_time_count,
        coalesce(sum(actual_milliunits) filter (where outcome = 'renewed_on_time'), 0) as on_time_milliunits,
        count(*) filter (where outcome = 'renewed_in_grace') as in_grace_count,
        coalesce(sum(actual_milliunits) filter (where outcome = 'renewed_in_grace'), 0) as in_grace_milliunits,
        count(*) filter (where outcome = 'recovered_retry') as recovered_count,
        coalesce(sum(actual_milliunits) filter (where outcome = 'recovered_retry'), 0) as recovered_milliunits,
        count(*) filter (where outcome = 'expired_voluntary') as voluntary_count,
        count(*) filter (where outcome = 'expired_billing') as billing_count,
        count(*) filter (where outcome = 'expired_price') as price_count,
        count(*) filter (where outcome = 'expired_unavailable') as unavailable_count,
        count(*) filter (where outcome = 'expired_unknown') as unknown_count,
        count(*) filter (where outcome = 'upgraded') as upgraded_count,
        count(*) filter (where outcome = 'downgraded') as downgraded_count,
        count(*) filter (where outcome = 'crossgraded') as crossgraded_count,
        count(*) filter (where outcome in ('upgraded', 'downgraded', 'crossgraded') and has_charge) as changed_count,
        coalesce(sum(actual_milliunits) filter (where outcome in ('upgraded', 'downgraded', 'crossgraded')), 0)
            as changed_milliunits,
        count(*) filter (where outcome = 'revoked_before_due') as revoked_count,
        count(*) filter (where outcome = 'extended') as extended_count,
        count(*) filter (where outcome = 'still_retry') as still_retry_count,
        count(*) filter (where outcome = 'still_grace') as still_grace_count,
        count(*) filter (where outcome = 'poll_error') as poll_error_count,
        count(*) filter (
            where outcome = 'unpolled' or (outcome is null and expires_at <= :'as_of'::timestamptz)
        ) as unpolled_count,
        count(*) filter (where outcome is null and expires_at > :'as_of'::timestamptz) as not_yet_due_count,
        count(*) filter (where has_charge) as renewed_count,
        coalesce(sum(due_milliunits) filter (where has_charge), 0) as renewed_due_milliunits,
        coalesce(sum(coalesce(actual_milliunits, 0) - due_milliunits) filter (where has_charge), 0)
            as price_milliunits,
        count(order_id) as booked_count, count(*) filter (where has_charge and order_id is null) as unbooked_count,
        count(*) filter (where has_order_without_renewal) as order_no_renewal_count,
        count(*) filter (where has_entitlement_overrun) as overrun_count
    from followed
    group by bundle_id, due_day, product_id, storefront, currency
),
renewal as (
    select
        charges.charge_id, charges.bundle_id, charges.product_id, coalesce(charges.storefront, '') as storefront,
        coalesce(charges.currency, '') as currency, coalesce(charges.price_milliunits, 0) as price_milliunits,
        charges.purchased_at
    from charges
    inner join batches on batches.batch_id = charges.batch_id
    where batches.known_at <= :'as_of'::timestamptz
        and charges.environment = 'Production'
        and charges.ownership = 'PURCHASED'
        and charges.is_renewal
),
claimed as (
    select distinct on (settled.charge_id) settled.*
    from settled
    where settled.has_charge
    order by settled.charge_id, settled.due_day
),
-- What Apple charged, from the charges: those of members under the member's cell, the others under their own.
charged as (
    select
        followed.bundle_id, followed.due_day, followed.product_id, followed.storefront, followed.currency,
        1 as charge_count, 0 as outside_count,
        case when renewal.currency = followed.currency then renewal.price_milliunits else 0 end as milliunits,
        0 as outside_milliunits
    from followed
    inner join renewal on renewal.charge_id = followed.renewal_id
    union all
    select
        followed.bundle_id, followed.due_day, renewal.product_id, renewal.storefront, renewal.currency, 0, 0,
        renewal.price_milliunits, renewal.price_milliunits
    from followed
    inner join renewal on renewal.charge_id = followed.renewal_id
    where renewal.currency <> followed.currency
    union all
    select
        plan.bundle_id, plan.due_day, renewal.product_id, renewal.storefront, renewal.currency, 1, 1,
        renewal.price_milliunits, renewal.price_milliunits
    from plan
    inner join renewal
        on renewal.bundle_id = plan.bundle_id
        and renewal.purchased_at >= plan.day_from
        and renewal.purchased_at < plan.day_to
    left join claimed on claimed.charge_id = renewal.charge_id
    where claimed.charge_id is null
),
actual as (
    select
        bundle_id, due_day, product_id, storefront, currency, sum(charge_count)::bigint as actual_count,
        sum(milliunits) as actual_milliunits, sum(outside_count)::bigint as outside_count,
        sum(outside_milliunits) as outside_milliunits
    from charged
    group by bundle_id, due_day, product_id, storefront, currency
),
cell as (
    select bundle_id, due_day, product_id, storefront, currency from due
    union
    select bundle_id, due_day, product_id, storefront, currency from actual
),
measured as (
    select
        cell.*, due.subscription_group, due.due_count, due.due_milliunits, due.on_count, due.off_count,
        due.price_increase_count, due.retry_count, due.grace_count, due.offer_count, due.on_time_count,
        due.on_time_milliunits, due.in_grace_count, due.in_grace_milliunits, due.recovered_count,
        due.recovered_milliunits, due.voluntary_count, due.billing_count, due.price_count, due.unavailable_count,
        due.unknown_count, due.upgraded_count, due.downgraded_count, due.crossgraded_count, due.changed_count,
        due.changed_milliunits, due.revoked_count, due.extended_count, due.still_retry_count, due.still_grace_count,
        due.poll_error_count, due.unpolled_count, due.not_yet_due_count, due.booked_count, due.unbooked_count,
        due.order_no_renewal_count, due.overrun_count, due.price_milliunits,
        coalesce(actual.actual_count, 0) as actual_count, coalesce(actual.actual_milliunits, 0) as actual_milliunits,
        coalesce(actual.outside_count, 0) as outside_count,
        coalesce(actual.outside_milliunits, 0) as outside_milliunits,
        coalesce(renewal_forecasts.forecast_count, 0) as forecast_count,
        coalesce(renewal_forecasts.forecast_milliunits, 0) as forecast_milliunits,
        renewal_forecasts.low_count, renewal_forecasts.high_count, renewal_forecasts.rate_bp,
        coalesce(renewal_forecasts.basis, 'none') as basis,
        -- The members that were renewed, at the average price of the cell as planned.
        coalesce(div(due.renewed_count::numeric * due.due_milliunits, nullif(due.due_count, 0)), 0)
            as average_milliunits,
        coalesce(due.renewed_due_milliunits, 0) as renewed_due_milliunits
    from cell
    left join due
        on due.bundle_id = cell.bundle_id and due.due_day = cell.due_day and due.product_id = cell.product_id
        and due.storefront = cell.storefront and due.currency = cell.currency
    left join actual
        on actual.bundle_id = cell.bundle_id and actual.due_day = cell.due_day
        and actual.product_id = cell.product_id and actual.storefront = cell.storefront
        and actual.currency = cell.currency
    left join renewal_forecasts
        on renewal_forecasts.bundle_id = cell.bundle_id and renewal_forecasts.due_day = cell.due_day
        and renewal_forecasts.product_id = cell.product_id and renewal_forecasts.storefront = cell.storefront
        and renewal_forecasts.currency = cell.currency
)
select
    plan.plan_run_id,
    rfc3339(plan.frozen_at) as frozen_at,
    to_char(measured.due_day, 'YYYY-MM-DD') as due_day,
    measured.bundle_id,
    measured.product_id,
    measured.subscription_group,
    measured.storefront,
    measured.currency,
    coalesce(measured.due_count, 0) as due_count,
    coalesce(measured.due_milliunits, 0) as due_amount_milliunits,
    coalesce(measured.on_count, 0) as auto_renew_on,
    coalesce(measured.off_count, 0) as auto_renew_off,
    coalesce(measured.price_increase_count, 0) as price_increase_pending,
    coalesce(measured.retry_count, 0) as in_retry_at_plan,
    coalesce(measured.grace_count, 0) as in_grace_at_plan,
    coalesce(measured.offer_count, 0) as offer_to_full_price,
    measured.forecast_count,
    measured.forecast_milliunits as forecast_amount_milliunits,
    coalesce(measured.low_count, 0) as forecast_low,
    coalesce(measured.high_count, 0) as forecast_high,
    measured.basis as forecast_basis,
    measured.rate_bp as forecast_rate_bp,
    coalesce(measured.on_time_count, 0) as renewed_on_time_count,
    coalesce(measured.on_time_milliunits, 0) as renewed_on_time_amount_milliunits,
    coalesce(measured.in_grace_count, 0) as renewed_in_grace_count,
    coalesce(measured.in_grace_milliunits, 0) as renewed_in_grace_amount_milliunits,
    coalesce(measured.recovered_count, 0) as recovered_retry_count,
    coalesce(measured.recovered_milliunits, 0) as recovered_retry_amount_milliunits,
    coalesce(measured.voluntary_count, 0) as expired_voluntary,
    coalesce(measured.billing_count, 0) as expired_billing,
    coalesce(measured.price_count, 0) as expired_price,
    coalesce(measured.unavailable_count, 0) as expired_unavailable,
    coalesce(measured.unknown_count, 0) as expired_unknown,
    coalesce(measured.upgraded_count, 0) as upgraded,
    coalesce(measured.downgraded_count, 0) as downgraded,
    coalesce(measured.crossgraded_count, 0) as crossgraded,
    coalesce(measured.changed_count, 0) as renewed_changed_count,
    coalesce(measured.changed_milliunits, 0) as renewed_changed_amount_milliunits,
    coalesce(measured.revoked_count, 0) as revoked_before_due,
    coalesce(measured.extended_count, 0) as extended,
    coalesce(measured.still_retry_count, 0) as still_retry,
    coalesce(measured.still_grace_count, 0) as still_grace,
    coalesce(measured.unpolled_count, 0) as unpolled,
    coalesce(measured.poll_error_count, 0) as poll_error,
    coalesce(measured.not_yet_due_count, 0) as not_yet_due,
    measured.outside_count as not_in_plan_count,
    measured.outside_milliunits as not_in_plan_amount_milliunits,
    measured.actual_count,
    measured.actual_milliunits as actual_amount_milliunits,
    measured.actual_count - measured.forecast_count as diff_count,
    measured.actual_milliunits - measured.forecast_milliunits as diff_amount_milliunits,
    measured.average_milliunits - measured.forecast_milliunits as rate_variance_milliunits,
    coalesce(measured.price_milliunits, 0) as price_variance_milliunits,
    measured.renewed_due_milliunits - measured.average_milliunits + measured.outside_milliunits
        as mix_variance_milliunits,
    case
        when measured.forecast_count > 0 then greatest(
            0, 10000 - abs(measured.actual_count - measured.forecast_count) * 10000 / measured.forecast_count
        )
    end as accuracy_bp,
    coalesce(measured.booked_count, 0) as order_created_count,
    coalesce(measured.unbooked_count, 0) as renewed_no_order,
    coalesce(measured.order_no_renewal_count, 0) as order_no_renewal,
    coalesce(measured.overrun_count, 0) as entitlement_overrun_count
from measured
inner join plan
    on plan.bundle_id = measured.bundle_id
    and plan.due_day = measured.due_day
order by measured.due_day, measured.bundle_id, measured.product_id, measured.storefront, measured.currency;
