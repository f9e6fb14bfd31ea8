-- purpose: the expected renewals of a frozen plan per cell: the renewal rate of earlier cohorts, applied to members that
--          renew automatically and owe no consent. The history is that of product and storefront if large enough, else of
--          the product, else of the app. Without history all are expected, within the widest bounds. Members in Apple's
--          billing retry count as not renewed.
-- parameters: bundle_id, day (text), as_of (timestamptz), history_min (bigint)
-- grain:   one row per product x storefront x currency of the plan
insert into renewal_forecasts (
    bundle_id, due_day, product_id, storefront, currency, basis, history_count, history_renewed_count, rate_bp,
    forecast_count, forecast_milliunits, low_count, high_count, low_milliunits, high_milliunits
)
with cell as (
    select
        product_id, storefront, currency, count(*) as due_count, sum(due_milliunits)::numeric as due_milliunits,
        count(*) filter (where is_renewing and not is_price_increase_pending) as on_count,
        coalesce(sum(due_milliunits) filter (where is_renewing and not is_price_increase_pending), 0)::numeric
            as on_milliunits
    from renewal_plan_members
    where bundle_id = :'bundle_id'::text
        and due_day = :'day'::text::date
    group by product_id, storefront, currency
),
history as (
    select
        member.product_id, member.storefront, count(*) as member_count,
        count(*) filter (where outcome.has_charge) as renewed_count
    from renewal_plan_members as member
    inner join renewal_outcomes_at(:'as_of'::timestamptz) as outcome using (original_transaction_id, bundle_id, due_day)
    where member.bundle_id = :'bundle_id'::text
        and member.due_day < :'day'::text::date
        and member.is_renewing
        and not member.is_price_increase_pending
        and outcome.outcome not in ('unpolled', 'poll_error')
    group by member.product_id, member.storefront
),
measured as (
    select
        cell.*, chosen.basis, coalesce(chosen.member_count, 0) as member_count,
        coalesce(chosen.renewed_count, 0) as renewed_count
    from cell
    left join lateral (
        select levels.*
        from (
            select 1 as place, 'product and storefront' as basis, history.member_count, history.renewed_count
            from history
            where history.product_id = cell.product_id
                and history.storefront = cell.storefront
            union all
            select 2, 'product', sum(history.member_count), sum(history.renewed_count)
            from history
            where history.product_id = cell.product_id
            union all
            select 3, 'app', sum(history.member_count), sum(history.renewed_count)
            from history
        ) as levels
        where levels.member_count >= :'history_min'::bigint
        order by levels.place
        limit 1
    ) as chosen on true
),
rated as (
    select
        measured.*,
        case
            when member_count = 0 then 10000
            else div(renewed_count * 10000 + div(member_count, 2), member_count)
        end as rate_bp,
        -- Twice the standard deviation of a count drawn at an estimated rate.
        case
            when member_count = 0 then due_count
            else ceil(2 * sqrt(
                on_count::numeric * (renewed_count + 1) * (member_count - renewed_count + 1)
                / ((member_count + 2)::numeric * (member_count + 2)) * (1 + on_count::numeric / member_count)
            ))
        end as half_width
    from measured
),
expected as (
    select
        rated.*, div(on_count * rate_bp + 5000, 10000) as forecast_count,
        div(on_milliunits * rate_bp + 5000, 10000) as forecast_milliunits
    from rated
),
bounded as (
    select
        expected.*, greatest(0, forecast_count - half_width) as low_count,
        least(due_count, forecast_count + half_width) as high_count
    from expected
)
select
    :'bundle_id'::text, :'day'::text::date, product_id, storefront, currency, coalesce(basis, 'none'),
    member_count::bigint, renewed_count::bigint, rate_bp::bigint, forecast_count::bigint,
    least(forecast_milliunits, 9223372036854775807)::bigint, low_count::bigint, high_count::bigint,
    least(div(low_count * due_milliunits, due_count), 9223372036854775807)::bigint,
    least(div(high_count * due_milliunits, due_count), 9223372036854775807)::bigint
from bounded;
