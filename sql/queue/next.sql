-- purpose: the best open case without a lease that is not set aside and not assigned to another account: cases assigned to
--          this account first, in the order of the queue.
-- parameters: as_of (timestamptz), refused (text[]): cases that concurrent callers leased
-- grain:   one row or none
with assigned as (
    select marks.case_id, marks.assignee = acting_account() as is_mine
    from marks_at(:'as_of'::timestamptz) as marks
    where marks.topic = 'assignment'
)
select state.case_id
from cases_at(:'as_of'::timestamptz) as state
left join assigned on assigned.case_id = state.case_id
where state.status = 'open'
    and coalesce(assigned.is_mine, true)
    and state.case_id not in (select snoozed.case_id from snoozed_at(:'as_of'::timestamptz) as snoozed)
    and state.case_id <> all(:'refused'::text[])
order by
    coalesce(assigned.is_mine, false) desc,
    case_place(state.status, state.rank, state.due_at, state.opened_at, state.case_id) collate "C"
limit 1;
