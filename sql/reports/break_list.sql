-- purpose: the break list with ageing: every open break, and those that resolved in the 24 hours before as_of.
-- parameters: as_of (timestamptz)
-- grain:   one row per break; undecided first, most severe, then oldest
with state as (
    select *
    from breaks_at(:'as_of'::timestamptz)
    where is_open
        or as_of > :'as_of'::timestamptz - interval '1 day'
),
charge as materialized (
    select charges.*
    from (select distinct state.charge_id from state) as named
    inner join charges on charges.charge_id = named.charge_id
),
ordered as materialized (
    select orders.*
    from (select distinct state.order_id from state) as named
    inner join orders on orders.order_id = named.order_id
),
-- One hash join over the listed charges' candidates instead of a look-up per row.
candidate as (
    select charge_id, count(*) as candidate_count, min(order_id) filter (where rank = 1) as best_candidate,
        min(tie) filter (where rank = 1) as best_tie, min(delay_seconds) filter (where rank = 1) as best_delay
    from ambiguous_candidates
    group by charge_id
)
select
    state.break_id, state.class,
    rfc3339(state.class_since) as class_since,
    case
        when state.family = 'order_claim' then 'L0'
        when state.family in ('delivery', 'amount', 'quantity', 'refund', 'entitlement') then 'L0-L1'
        when state.family = 'tieout' then 'L3'
        else 'L1'
    end as leg,
    state.severity, state.status,
    to_char(state.opened_at at time zone 'UTC', 'YYYY-MM-DD') as opened_on,
    greatest(0, floor(extract(epoch from :'as_of'::timestamptz - state.opened_at) / 86400))::bigint as age_days,
    age_bucket(:'as_of'::timestamptz, state.opened_at) as age_bucket,
    state.bundle_id, state.environment, state.user_id, state.order_id, state.charge_id, state.transaction_id,
    charges.original_transaction_id, charges.web_order_line_item_id,
    coalesce(charges.product_id, orders.product_id) as product_id,
    coalesce(charges.storefront, orders.storefront) as storefront,
    orders.price_milliunits as expected_amount_milliunits, charges.price_milliunits as actual_amount_milliunits,
    case
        when orders.currency = charges.currency then charges.price_milliunits - orders.price_milliunits
    end as diff_amount_milliunits,
    state.amount_milliunits, state.currency,
    case when state.class = 'AMBIGUOUS_MATCH' then coalesce(candidate.candidate_count, 0) end as candidates,
    case when state.class = 'AMBIGUOUS_MATCH' then candidate.best_candidate end as best_candidate,
    case
        when state.class = 'AMBIGUOUS_MATCH' and candidate.best_tie is not null
            then candidate_reason(candidate.best_tie, charges.product_id, charges.quantity, candidate.best_delay)
    end as best_reason,
    break_classes.owner_team,
    rfc3339(state.opened_at + make_interval(hours => break_classes.due_hours)) as due_at,
    case
        when not state.is_open or state.is_decided then null
        when state.opened_at + make_interval(hours => break_classes.due_hours) <= :'as_of'::timestamptz
            then 'breached'
        when state.opened_at + make_interval(hours => break_classes.due_hours * 3 / 4) <= :'as_of'::timestamptz
            then 'risk'
        else 'ok'
    end as sla_state,
    rfc3339(case when not state.is_open then state.as_of end) as resolved_at,
    state.detail, break_classes.runbook, state.case_id, state.decided_by, state.approved_by,
    rfc3339(state.decided_at) as decided_at,
    state.reason,
    rfc3339(state.holds_until) as until
from state
inner join break_classes on break_classes.class = state.class
left join charge as charges on charges.charge_id = state.charge_id
left join ordered as orders on orders.order_id = state.order_id
left join candidate on candidate.charge_id = state.charge_id
order by
    not state.is_open,
    state.is_decided,
    -severity_rank(state.severity),
    state.opened_at,
    -- Function results have the database's default collation; the order must not depend on it.
    state.break_id collate "C";
