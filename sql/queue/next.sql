-- purpose: the best open case without a lease that is not set aside and not assigned to another account: cases assigned to
--          this account first, in the order of the queue.
-- parameters: as_of (timestamptz), refused (text[]): cases that concurrent callers leased
-- grain:   one row or none
select state.case_id
from cases_at(:'as_of'::timestamptz) as state
left join marks_at(:'as_of'::timestamptz) as assignment on assignment.case_id = state.case_id and assignment.topic = 'assignment'
where state.status = 'open'
    and coalesce(assignment.assignee = acting_account(), true)
    and state.case_id not in (select snoozed.case_id from snoozed_at(:'as_of'::timestamptz) as snoozed)
    and state.case_id <> all(:'refused'::text[])
order by
    coalesce(assignment.assignee = acting_account(), false) desc,
    case_place(state.status, state.rank, state.due_at, state.opened_at, state.case_id) collate "C"
limit 1;
