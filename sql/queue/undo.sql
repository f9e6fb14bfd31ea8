-- purpose: undoes decisions; for a decision of two people the undo is only proposed.
-- parameters: case_ids, decision_ids (text[]), reason, person (text), as_of (timestamptz)
-- grain:   one row per decision
insert into case_undos (case_id, decision_id, undo_id, step, action, reason, asked_by, at)
select
    case_decisions.case_id, case_decisions.decision_id,
    id_hash(concat_ws('|', 'undo', case_decisions.decision_id, :'person'::text, acting_account(), rfc3339(:'as_of'::timestamptz))),
    case
        when case_decisions.action in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then 'proposed'
        else 'effective'
    end,
    case_decisions.action,
    :'reason'::text,
    :'person'::text,
    :'as_of'::timestamptz
from unnest(:'case_ids'::text[], :'decision_ids'::text[]) as chosen (case_id, decision_id)
inner join case_decisions using (case_id, decision_id)
where case_decisions.step = 'effective'
order by case_decisions.case_id, case_decisions.decision_id
on conflict do nothing
returning case_id, decision_id, undo_id, step;
