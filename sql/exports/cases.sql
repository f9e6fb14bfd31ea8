-- purpose: export of cases as known at an instant: open items, assignee, decisions, and the two people and logins behind each.
-- parameters: as_of (timestamptz)
-- grain:   one row per case
select
    state.case_id, state.status, state.subject_kind, state.subject_id,
    case when state.subject_kind = 'user' then state.subject_id end as user_id,
    severity_of(state.rank) as severity,
    state.signal_count, state.break_count, state.names, state.amount_milliunits, state.currency,
    rfc3339(state.opened_at) as opened_at,
    rfc3339(state.due_at) as due_at,
    state.taken_by,
    rfc3339(state.lease_until) as lease_until,
    state.action, state.outcome, state.reason, state.decided_by,
    rfc3339(state.decided_at) as decided_at,
    state.approved_by,
    rfc3339(state.approved_at) as approved_at,
    state.bundle_ids, state.decided_account, state.approved_account
from cases_at(:'as_of'::timestamptz) as state
order by state.case_id collate "C";
