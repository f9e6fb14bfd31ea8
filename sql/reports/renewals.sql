-- purpose: renewals forecast against actual: the cells of each frozen plan, outcomes of their members, and causes of the
--          difference from the forecast. The actual side is counted from the charges, independently of the outcomes.
-- grain:   one row per due day x app x product x storefront x currency, of the plans of the last 62 days and to come
with total as (
    select
        bundle_id, due_day, product_id, storefront, currency, min(subscription_group) as subscription_group,
        coalesce(sum(value) filter (where figure = 'due_count'), 0)::bigint as due_count,
        coalesce(sum(value) filter (where figure = 'due_amount_milliunits'), 0) as due_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'auto_renew_on'), 0)::bigint as auto_renew_on,
        coalesce(sum(value) filter (where figure = 'auto_renew_off'), 0)::bigint as auto_renew_off,
        coalesce(sum(value) filter (where figure = 'price_increase_pending'), 0)::bigint as price_increase_pending,
        coalesce(sum(value) filter (where figure = 'in_retry_at_plan'), 0)::bigint as in_retry_at_plan,
        coalesce(sum(value) filter (where figure = 'in_grace_at_plan'), 0)::bigint as in_grace_at_plan,
        coalesce(sum(value) filter (where figure = 'offer_to_full_price'), 0)::bigint as offer_to_full_price,
        coalesce(sum(value) filter (where figure = 'forecast_count'), 0)::bigint as forecast_count,
        coalesce(sum(value) filter (where figure = 'forecast_amount_milliunits'), 0) as forecast_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'forecast_low'), 0)::bigint as forecast_low,
        coalesce(sum(value) filter (where figure = 'forecast_high'), 0)::bigint as forecast_high,
        coalesce(sum(value) filter (where figure = 'renewed_on_time_count'), 0)::bigint as renewed_on_time_count,
        coalesce(sum(value) filter (where figure = 'renewed_on_time_amount_milliunits'), 0) as renewed_on_time_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'renewed_in_grace_count'), 0)::bigint as renewed_in_grace_count,
        coalesce(sum(value) filter (where figure = 'renewed_in_grace_amount_milliunits'), 0) as renewed_in_grace_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'recovered_retry_count'), 0)::bigint as recovered_retry_count,
        coalesce(sum(value) filter (where figure = 'recovered_retry_amount_milliunits'), 0) as recovered_retry_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'expired_voluntary'), 0)::bigint as expired_voluntary,
        coalesce(sum(value) filter (where figure = 'expired_billing'), 0)::bigint as expired_billing,
        coalesce(sum(value) filter (where figure = 'expired_price'), 0)::bigint as expired_price,
        coalesce(sum(value) filter (where figure = 'expired_unavailable'), 0)::bigint as expired_unavailable,
        coalesce(sum(value) filter (where figure = 'expired_unknown'), 0)::bigint as expired_unknown,
        coalesce(sum(value) filter (where figure = 'upgraded'), 0)::bigint as upgraded,
        coalesce(sum(value) filter (where figure = 'downgraded'), 0)::bigint as downgraded,
        coalesce(sum(value) filter (where figure = 'crossgraded'), 0)::bigint as crossgraded,
        coalesce(sum(value) filter (where figure = 'renewed_changed_count'), 0)::bigint as renewed_changed_count,
        coalesce(sum(value) filter (where figure = 'renewed_changed_amount_milliunits'), 0) as renewed_changed_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'revoked_before_due'), 0)::bigint as revoked_before_due,
        coalesce(sum(value) filter (where figure = 'extended'), 0)::bigint as extended,
        coalesce(sum(value) filter (where figure = 'still_retry'), 0)::bigint as still_retry,
        coalesce(sum(value) filter (where figure = 'still_grace'), 0)::bigint as still_grace,
        coalesce(sum(value) filter (where figure = 'unpolled'), 0)::bigint as unpolled,
        coalesce(sum(value) filter (where figure = 'poll_error'), 0)::bigint as poll_error,
        coalesce(sum(value) filter (where figure = 'not_yet_due'), 0)::bigint as not_yet_due,
        coalesce(sum(value) filter (where figure = 'not_in_plan_count'), 0)::bigint as not_in_plan_count,
        coalesce(sum(value) filter (where figure = 'not_in_plan_amount_milliunits'), 0) as not_in_plan_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'actual_count'), 0)::bigint as actual_count,
        coalesce(sum(value) filter (where figure = 'actual_amount_milliunits'), 0) as actual_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'diff_count'), 0)::bigint as diff_count,
        coalesce(sum(value) filter (where figure = 'diff_amount_milliunits'), 0) as diff_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'price_variance_milliunits'), 0) as price_variance_milliunits,
        coalesce(sum(value) filter (where figure = 'order_created_count'), 0)::bigint as order_created_count,
        coalesce(sum(value) filter (where figure = 'renewed_no_order'), 0)::bigint as renewed_no_order,
        coalesce(sum(value) filter (where figure = 'order_no_renewal'), 0)::bigint as order_no_renewal,
        coalesce(sum(value) filter (where figure = 'entitlement_overrun_count'), 0)::bigint as entitlement_overrun_count,
        coalesce(sum(value) filter (where figure = '.renewed_count'), 0)::bigint as renewed_count,
        coalesce(sum(value) filter (where figure = '.renewed_due_milliunits'), 0) as renewed_due_milliunits
    from renewal_rows() as renewal
    group by bundle_id, due_day, product_id, storefront, currency
),
measured as (
    select
        total.*, renewal_forecasts.rate_bp, coalesce(renewal_forecasts.basis, 'none') as basis,
        -- The renewed members at the average planned price of the cell.
        coalesce(div(total.renewed_count::numeric * total.due_amount_milliunits, nullif(total.due_count, 0)), 0)
            as average_milliunits
    from total
    left join renewal_forecasts using (bundle_id, due_day, product_id, storefront, currency)
)
select
    renewal_plans.plan_run_id,
    rfc3339(renewal_plans.frozen_at) as frozen_at,
    to_char(measured.due_day, 'YYYY-MM-DD') as due_day,
    measured.bundle_id, measured.product_id, measured.subscription_group, measured.storefront, measured.currency,
    measured.due_count, measured.due_amount_milliunits, measured.auto_renew_on, measured.auto_renew_off,
    measured.price_increase_pending, measured.in_retry_at_plan, measured.in_grace_at_plan,
    measured.offer_to_full_price, measured.forecast_count, measured.forecast_amount_milliunits, measured.forecast_low,
    measured.forecast_high, measured.basis as forecast_basis, measured.rate_bp as forecast_rate_bp,
    measured.renewed_on_time_count, measured.renewed_on_time_amount_milliunits, measured.renewed_in_grace_count,
    measured.renewed_in_grace_amount_milliunits, measured.recovered_retry_count,
    measured.recovered_retry_amount_milliunits, measured.expired_voluntary, measured.expired_billing,
    measured.expired_price, measured.expired_unavailable, measured.expired_unknown, measured.upgraded,
    measured.downgraded, measured.crossgraded, measured.renewed_changed_count,
    measured.renewed_changed_amount_milliunits, measured.revoked_before_due, measured.extended, measured.still_retry,
    measured.still_grace, measured.unpolled, measured.poll_error, measured.not_yet_due, measured.not_in_plan_count,
    measured.not_in_plan_amount_milliunits, measured.actual_count, measured.actual_amount_milliunits,
    measured.diff_count, measured.diff_amount_milliunits,
    measured.average_milliunits - measured.forecast_amount_milliunits as rate_variance_milliunits,
    measured.price_variance_milliunits,
    measured.renewed_due_milliunits - measured.average_milliunits + measured.not_in_plan_amount_milliunits
        as mix_variance_milliunits,
    case
        when measured.forecast_count > 0 then rate_bp(
            greatest(0, measured.forecast_count - abs(measured.actual_count - measured.forecast_count)), measured.forecast_count
        )
    end as accuracy_bp,
    measured.order_created_count, measured.renewed_no_order, measured.order_no_renewal, measured.entitlement_overrun_count
from measured
inner join renewal_plans using (bundle_id, due_day)
order by
    measured.due_day, measured.bundle_id collate "C", measured.product_id collate "C", measured.storefront collate "C",
    measured.currency collate "C";
