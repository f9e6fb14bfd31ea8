-- purpose: a second person lets a decision be undone, or stands by it, or who asked withdraws; the proposal is quoted by
--          key.
-- parameters: case_id, step, person, reason (text), as_of (timestamptz)
-- grain:   one row, or none when nobody asked
insert into case_undos (
    case_id, decision_id, undo_id, step, action, reason, asked_by, approved_by, proposal_step, at
)
select
    asked.case_id, asked.decision_id, asked.undo_id, :'step'::text, asked.action, :'reason'::text, asked.asked_by,
    :'person'::text, asked.step, :'as_of'::timestamptz
from case_undos as asked
where asked.case_id = :'case_id'::text
    and asked.step = 'proposed'
    and not exists (
        select 1
        from case_undos as later
        where later.case_id = asked.case_id
            and later.decision_id = asked.decision_id
            and later.undo_id = asked.undo_id
            and later.step <> 'proposed'
    )
returning decision_id, undo_id;
