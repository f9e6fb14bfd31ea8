-- purpose: the daily reconciliation summary: Apple's charges, our orders, their matches, and the bridge between them.
-- grain:   one row per scope x bundle x environment x currency; scope `day` is the last complete local day before the clock,
--          `to_date` everything known; break movement covers the 24 hours before the clock in both scopes
with measure as materialized (
    select
        measure, coalesce(part, '') as part, coalesce(bundle_id, '') as bundle_id, coalesce(environment, '') as environment, currency,
        coalesce(is_day, true) as is_day,
        case when measure in ('tx', 'matched') and day >= business_day - 28 then day - business_day end
            as days_back,
        sum(n) as n, sum(amount) as amount, min(at) as at
    from daily_sums(null) as fact
    group by 1, 2, 3, 4, 5, 6, 7
),
slice as (
    select
        scope.name as scope, measure.bundle_id, measure.environment, measure.currency, measure.measure, measure.part,
        measure.n, measure.amount, measure.at, scope.name = 'to_date' or measure.is_day as counts
    from measure
    cross join (values ('day'), ('to_date')) as scope (name)
),
part as (
    select
        slice.scope, slice.bundle_id, slice.environment, slice.currency, figure.figure,
        sum(figure.sign * case when figure.is_money then slice.amount else slice.n end) as value
    from slice
    inner join daily_figures as figure
        on figure.measure = slice.measure
        and figure.part in ('', slice.part)
    where slice.counts
    group by 1, 2, 3, 4, 5
),
place as (
    select
        scope, bundle_id, environment, currency,
        min(at) filter (where measure = 'break_undecided') as oldest_at,
        min(at) filter (where measure = 'pending_all') as next_at
    from slice
    group by 1, 2, 3, 4
),
total as (
    select
        place.scope, place.bundle_id, place.environment, place.currency,
        (select jsonb_object_agg(figure, 0) from daily_figures)
        || coalesce(jsonb_object_agg(part.figure, coalesce(part.value, 0)) filter (where part.figure is not null), '{}')
        || jsonb_build_object(
            'next_pending_breaks_at', rfc3339(place.next_at),
            'oldest_break_days', case
                when place.oldest_at is not null
                    then greatest(0, floor(extract(epoch from viewed_at() - place.oldest_at) / 86400))
            end
        ) as by_figure
    from place
    left join part using (scope, bundle_id, environment, currency)
    group by 1, 2, 3, 4, place.oldest_at, place.next_at
),
usual_rate as (
    select
        bundle_id, environment, currency, percentile_disc(0.5) within group (order by rate_bp) as rate_bp
    from (
        select
            bundle_id, environment, currency, (10000 * coalesce(sum(n) filter (where measure = 'matched'), 0))::bigint
            / nullif(sum(n) filter (where measure = 'tx'), 0)::bigint as rate_bp
        from measure
        where days_back between -28 and -1
            and (measure = 'matched' or part = 'money')
        group by bundle_id, environment, currency, days_back
    ) as rated
    group by bundle_id, environment, currency
)
select
    total.scope,
    to_char((viewed_at() at time zone coalesce(app.zone, 'UTC'))::date - 1, 'YYYY-MM-DD') as business_day,
    coalesce(app.zone, 'UTC') as tz,
    nullif(total.bundle_id, '') as bundle_id,
    nullif(total.environment, '') as environment,
    nullif(total.currency, '') as currency,
    figures.*,
    10000 * (figures.matched_exact_count + figures.matched_derived_count + figures.matched_heuristic_count)
    / nullif(figures.tx_count - figures.excluded_count, 0)
        as match_rate_count_bp,
    floor(
        10000::numeric * (
            figures.matched_exact_amount_milliunits + figures.matched_derived_amount_milliunits
            + figures.matched_heuristic_amount_milliunits
        ) / nullif(figures.tx_amount_milliunits, 0)
    )::bigint as match_rate_amount_bp,
    usual_rate.rate_bp as match_rate_p50_28d_bp
from total
cross join lateral jsonb_to_record(total.by_figure) as figures (
    tx_count bigint, tx_amount_milliunits numeric, order_count bigint, order_amount_milliunits numeric,
    matched_exact_count bigint, matched_exact_amount_milliunits numeric, matched_derived_count bigint,
    matched_derived_amount_milliunits numeric, matched_heuristic_count bigint, matched_heuristic_amount_milliunits numeric,
    ambiguous_count bigint, ambiguous_amount_milliunits numeric, pending_count bigint, pending_amount_milliunits numeric,
    pending_of_all_families_count bigint, next_pending_breaks_at text, broken_count bigint, broken_amount_milliunits numeric,
    excluded_count bigint, sandbox_count bigint, family_count bigint, zero_price_count bigint, break_opening_count bigint,
    break_new_count bigint, break_persisting_count bigint, break_resolved_count bigint, break_open_count bigint,
    break_open_amount_milliunits numeric, oldest_break_days bigint, break_undecided_count bigint, break_decided_count bigint,
    break_decided_amount_milliunits numeric, refund_count bigint, refund_amount_milliunits numeric,
    refund_reversed_count bigint, refund_reversed_amount_milliunits numeric, late_arrivals_count bigint,
    late_arrivals_amount_milliunits numeric, bridge_book_milliunits numeric, bridge_open_tx_count bigint,
    bridge_plus_open_tx_milliunits numeric, bridge_open_orders_count bigint, bridge_minus_open_orders_milliunits numeric,
    bridge_plus_not_booked_milliunits numeric, bridge_not_charged_milliunits numeric, bridge_amount_diff_count bigint,
    bridge_amount_diff_milliunits numeric, bridge_currency_diff_milliunits numeric, bridge_unpriced_milliunits numeric,
    bridge_unexplained_milliunits numeric, bridge_apple_milliunits numeric
)
left join viewed_apps() as app using (bundle_id)
left join usual_rate using (bundle_id, environment, currency)
order by total.scope, total.bundle_id collate "C", total.environment collate "C", total.currency collate "C";
