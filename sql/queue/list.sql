-- purpose: pending cases, best first.
-- parameters: as_of (timestamptz)
-- grain:   one row per case that is open, assigned or awaiting a second approval
select
    state.case_id, state.status,
    severity_of(state.rank) as severity,
    state.subject_kind, state.subject_id, state.names, state.signal_count, state.break_count, state.amount_milliunits,
    state.currency,
    rfc3339(state.due_at) as due_at,
    state.taken_by,
    rfc3339(state.lease_until) as lease_until,
    case when state.status = 'waiting_approval' then state.action end as proposed_action,
    case when state.status = 'waiting_approval' then state.decided_by end as proposed_by,
    state.bundle_ids, assigned.assignee,
    rfc3339(snoozed.returns_at) as returns_at
from cases_at(:'as_of'::timestamptz) as state
left join marks_at(:'as_of'::timestamptz) as assigned
    on assigned.case_id = state.case_id
    and assigned.topic = 'assignment'
left join snoozed_at(:'as_of'::timestamptz) as snoozed on snoozed.case_id = state.case_id
where state.status in ('open', 'taken', 'waiting_approval')
order by case_place(state.status, state.rank, state.due_at, state.opened_at, state.case_id) collate "C";
