-- purpose: export of breaks as known at an instant: open ones (new, persisting, reopened) and resolved ones.
-- parameters: as_of (timestamptz)
-- grain:   one row per break
with latest_detection as (
    select max(as_of) as as_of from detections where as_of <= :'as_of'::timestamptz
),
collapsed as (
    select distinct on (break_events.break_id, break_events.as_of) break_events.*
    from break_events
    where break_events.as_of <= :'as_of'::timestamptz
    order by break_events.break_id, break_events.as_of, break_events.attempt desc
),
sequenced as (
    select
        collapsed.*,
        lag(collapsed.is_open) over in_time as was_open,
        bool_or(collapsed.is_open) over (
            partition by collapsed.break_id order by collapsed.as_of
            rows between unbounded preceding and 1 preceding
        ) as was_ever_open,
        lead(collapsed.as_of) over in_time as next_as_of
    from collapsed
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
        and (sequenced.is_open or sequenced.was_ever_open)
)
select
    state.break_id,
    state.class,
    state.severity,
    state.status,
    to_char(state.opened_at at time zone 'UTC', 'YYYY-MM-DD') as opened_on,
    greatest(0, floor(extract(epoch from :'as_of'::timestamptz - state.opened_at) / 86400))::bigint as age_days,
    state.bundle_id,
    state.environment,
    state.order_id,
    state.charge_id,
    state.transaction_id,
    state.user_id,
    state.amount_milliunits,
    state.currency,
    state.detail,
    case
        when :'as_of'::timestamptz - state.opened_at < interval '2 days' then '0-1'
        when :'as_of'::timestamptz - state.opened_at < interval '8 days' then '2-7'
        when :'as_of'::timestamptz - state.opened_at < interval '31 days' then '8-30'
        when :'as_of'::timestamptz - state.opened_at < interval '61 days' then '31-60'
        else '>60'
    end as age_bucket,
    rfc3339(state.opened_at) as opened_at,
    rfc3339(state.opened_at + make_interval(hours => break_classes.due_hours)) as due_at,
    break_classes.owner_team,
    break_classes.runbook,
    rfc3339(case when not state.is_open then state.as_of end) as resolved_at
from state
inner join break_classes on break_classes.class = state.class
order by state.class, state.opened_at, state.break_id;
