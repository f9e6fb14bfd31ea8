-- purpose: export of breaks as known at an instant: open undecided (new, persisting, reopened), open decided (accepted,
--          dismissed, written_off), and resolved ones.
-- parameters: as_of (timestamptz)
-- grain:   one row per break
select
    state.break_id, state.class, state.severity, state.status, to_char(state.opened_on, 'YYYY-MM-DD') as opened_on, state.age_days,
    state.bundle_id, state.environment, state.order_id, state.charge_id, state.transaction_id, state.user_id,
    state.amount_milliunits, state.currency, state.detail, state.age_bucket, rfc3339(state.opened_at) as opened_at,
    rfc3339(state.due_at) as due_at, state.owner_team, state.runbook, rfc3339(state.resolved_at) as resolved_at, state.case_id,
    state.decided_by, state.approved_by, rfc3339(state.decided_at) as decided_at, state.reason, rfc3339(state.until) as until
from v_breaks_at(:'as_of'::timestamptz) as state
-- Function results have the database's default collation; the order must not depend on it.
order by state.class collate "C", state.opened_at, state.break_id collate "C";
