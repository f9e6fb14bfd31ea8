-- purpose: the break list with ageing: every open break, and those that resolved in the 24 hours before as_of.
-- parameters: as_of (timestamptz)
-- grain:   one row per break; most severe first, then oldest
with collapsed as (
    select distinct on (break_id, as_of) break_events.*
    from break_events
    where as_of <= :'as_of'::timestamptz
    order by break_id asc, as_of asc, attempt desc
),
latest_detection as (
    select max(as_of) as as_of from detections where as_of <= :'as_of'::timestamptz
),
sequenced as (
    select
        collapsed.*,
        lag(collapsed.is_open) over in_time as was_open,
        bool_or(collapsed.is_open) over (
            partition by collapsed.break_id order by collapsed.as_of
            rows between unbounded preceding and 1 preceding
        ) as was_ever_open,
        lead(collapsed.as_of) over in_time as next_as_of,
        max(collapsed.as_of) filter (where collapsed.is_first_of_class) over in_time as class_since
    from (
        select
            collapsed.*,
            coalesce(
                lag(collapsed.class) over (partition by collapsed.break_id order by collapsed.as_of), ''
            ) <> collapsed.class as is_first_of_class
        from collapsed
    ) as collapsed
    window in_time as (partition by collapsed.break_id order by collapsed.as_of)
),
state as (
    select
        sequenced.*,
        case
            when not sequenced.is_open then 'resolved'
            when sequenced.as_of < latest_detection.as_of or sequenced.was_open then 'persisting'
            when sequenced.was_ever_open then 'reopened'
            else 'new'
        end as status
    from sequenced
    cross join latest_detection
    where sequenced.next_as_of is null
        and (
            sequenced.is_open
            or (sequenced.was_ever_open and sequenced.as_of > :'as_of'::timestamptz - interval '1 day')
        )
),
-- One hash join of the candidates of the charges that are listed, not one look-up a row.
candidate as (
    select charge_id, count(*) as candidate_count, min(order_id) filter (where rank = 1) as best_candidate,
        min(contributions) filter (where rank = 1) as best_reason
    from ambiguous_candidates
    group by charge_id
)
select
    state.break_id,
    state.class,
    rfc3339(state.class_since) as class_since,
    case
        when state.family = 'order_claim' then 'L0'
        when state.family in ('delivery', 'amount', 'quantity', 'refund', 'entitlement') then 'L0-L1'
        when state.family = 'tieout' then 'L3'
        else 'L1'
    end as leg,
    state.severity,
    state.status,
    to_char(state.opened_at at time zone 'UTC', 'YYYY-MM-DD') as opened_on,
    greatest(0, floor(extract(epoch from :'as_of'::timestamptz - state.opened_at) / 86400))::bigint as age_days,
    case
        when :'as_of'::timestamptz - state.opened_at < interval '2 days' then '0-1'
        when :'as_of'::timestamptz - state.opened_at < interval '8 days' then '2-7'
        when :'as_of'::timestamptz - state.opened_at < interval '31 days' then '8-30'
        when :'as_of'::timestamptz - state.opened_at < interval '61 days' then '31-60'
        else '>60'
    end as age_bucket,
    state.bundle_id,
    state.environment,
    state.user_id,
    state.order_id,
    state.charge_id,
    state.transaction_id,
    charges.original_transaction_id,
    charges.web_order_line_item_id,
    coalesce(charges.product_id, orders.product_id) as product_id,
    coalesce(charges.storefront, orders.storefront) as storefront,
    orders.price_milliunits as expected_amount_milliunits,
    charges.price_milliunits as actual_amount_milliunits,
    case
        when orders.currency = charges.currency then charges.price_milliunits - orders.price_milliunits
    end as diff_amount_milliunits,
    state.amount_milliunits,
    state.currency,
    case when state.class = 'AMBIGUOUS_MATCH' then coalesce(candidate.candidate_count, 0) end as candidates,
    case when state.class = 'AMBIGUOUS_MATCH' then candidate.best_candidate end as best_candidate,
    case when state.class = 'AMBIGUOUS_MATCH' then candidate.best_reason end as best_reason,
    break_classes.owner_team,
    rfc3339(state.opened_at + make_interval(hours => break_classes.due_hours)) as due_at,
    case
        when not state.is_open then null
        when state.opened_at + make_interval(hours => break_classes.due_hours) <= :'as_of'::timestamptz
            then 'breached'
        when state.opened_at + make_interval(hours => break_classes.due_hours * 3 / 4) <= :'as_of'::timestamptz
            then 'risk'
        else 'ok'
    end as sla_state,
    rfc3339(case when not state.is_open then state.as_of end) as resolved_at,
    state.detail,
    break_classes.runbook
from state
inner join break_classes on break_classes.class = state.class
left join charges on charges.charge_id = state.charge_id
left join orders on orders.order_id = state.order_id
left join candidate on candidate.charge_id = state.charge_id
order by
    not state.is_open,
    array_position(array['critical', 'high', 'medium', 'low'], state.severity),
    state.opened_at,
    state.break_id;
