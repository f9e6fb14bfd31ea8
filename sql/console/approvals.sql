-- purpose: cases whose decision awaits a second person, limited to an account's inboxes, most urgent first, with the reason
--          of the proposal. The proposed undo of an action is undo_ACTION.
-- parameters: inboxes (text[]): none for all; as_of (timestamptz), rows (bigint)
-- grain:   one row per case
with proposed as materialized (
    select kept.*
    from case_summaries as kept
    where kept.status = 'waiting_approval'
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    order by kept.place
    limit :'rows'::bigint
),
proposal_reason as (
    select distinct on (asked.case_id) asked.case_id, asked.proposed_action, asked.reason, asked.person
    from (
        select case_decisions.case_id, case_decisions.action as proposed_action, case_decisions.reason, case_decisions.at,
            case_decisions.decision_id as id, case_decisions.decided_by as person
        from proposed
        inner join case_decisions on case_decisions.case_id = proposed.case_id
        where proposed.proposed_action <> 'undo'
            and case_decisions.step = 'proposed'
        union all
        select case_undos.case_id, 'undo_' || case_undos.action, case_undos.reason, case_undos.at, case_undos.undo_id, case_undos.asked_by
        from proposed
        inner join case_undos
            on case_undos.case_id = proposed.case_id
            and case_undos.asked_by = proposed.proposed_by
        where proposed.proposed_action = 'undo'
            and case_undos.step = 'proposed'
    ) as asked
    where asked.at <= :'as_of'::timestamptz
    order by asked.case_id asc, asked.at desc, asked.id asc
)
select
    proposed.case_id, proposed.severity, proposed.about, proposed.subject, proposed.at_stake,
    coalesce(proposal_reason.proposed_action, proposed.proposed_action) as proposed_action,
    person_text(proposal_reason.person, proposed.proposed_by) as account, proposal_reason.reason as said,
    rfc3339(proposed.proposed_at) as proposed_at, rfc3339(proposed.due_at) as due_at
from proposed
left join proposal_reason on proposal_reason.case_id = proposed.case_id
order by proposed.place;
