-- purpose: The acts of reviewers on cases: leases and releases, notes, marks, and the steps of decisions and undos.
--          turn orders acts at one instant.
-- grain:   one row per act; columns without a value for its kind are null
create or replace view payrecon.case_acts with (security_invoker = true) as
select
    case_id, at, 1 as turn, 'event' as kind, action, null as step, person, account, null as outcome, reason, null as assignee,
    lease_until as until, null as decision_id, null as order_id, null as charge_id, null as scope, null::text[] as break_ids, null as apple
from payrecon.case_events
union all
select case_id, at, 2, 'note', 'note', null, person, account, null, note, null, null, null, null, null, null, null, null
from payrecon.case_notes
union all
select
    case_id, at, 2, 'mark', topic, case when is_set then 'set' else 'ended' end, person, account, null, reason, assignee, returns_at,
    null, null, null, null, null, null
from payrecon.case_marks
union all
select
    case_id, at, 3, 'decision', action, step, case when step = 'proposed' then decided_by else coalesce(approved_by, decided_by) end,
    account, outcome, reason, null, holds_until, decision_id, order_id, charge_id, scope, break_ids, apple
from payrecon.case_decisions
union all
select
    case_id, at, 4, 'undo', action, step, coalesce(approved_by, asked_by), account, null, reason, null, null, decision_id, null, null,
    null, null, null
from payrecon.case_undos;
