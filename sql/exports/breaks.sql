-- purpose: export of breaks as known at an instant: open undecided (new, persisting, reopened), open decided (accepted,
--          dismissed, written_off), and resolved ones.
-- parameters: as_of (timestamptz)
-- grain:   one row per break
select
    state.break_id, state.class, state.severity, state.status,
    to_char(state.opened_at at time zone 'UTC', 'YYYY-MM-DD') as opened_on,
    greatest(0, floor(extract(epoch from :'as_of'::timestamptz - state.opened_at) / 86400))::bigint as age_days,
    state.bundle_id, state.environment, state.order_id, state.charge_id, state.transaction_id, state.user_id,
    state.amount_milliunits, state.currency, state.detail,
    age_bucket(:'as_of'::timestamptz, state.opened_at) as age_bucket,
    rfc3339(state.opened_at) as opened_at,
    rfc3339(state.opened_at + make_interval(hours => break_classes.due_hours)) as due_at,
    break_classes.owner_team, break_classes.runbook,
    rfc3339(case when not state.is_open then state.as_of end) as resolved_at,
    state.case_id, state.decided_by, state.approved_by,
    rfc3339(state.decided_at) as decided_at,
    state.reason,
    rfc3339(state.holds_until) as until
from breaks_at(:'as_of'::timestamptz) as state
inner join break_classes on break_classes.class = state.class
-- Function results have the database's default collation; the order must not depend on it.
order by state.class collate "C", state.opened_at, state.break_id collate "C";
