-- purpose: cases whose decision awaits a second person, limited to an account's inboxes, most urgent first, with the reason
--          of the proposal.
-- parameters: inboxes (text[]): none for all; as_of (timestamptz), rows (bigint)
-- grain:   one row per case
with proposed as materialized (
    select kept.*
    from console_cases as kept
    where kept.status = 'waiting_approval'
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    order by kept.place
    limit :'rows'::bigint
),
said as (
    select distinct on (case_decisions.case_id) case_decisions.case_id, case_decisions.reason
    from proposed
    inner join case_decisions on case_decisions.case_id = proposed.case_id
    where case_decisions.step = 'proposed'
        and case_decisions.at <= :'as_of'::timestamptz
    order by case_decisions.case_id asc, case_decisions.at desc, case_decisions.decision_id asc
)
select
    proposed.case_id, coalesce(severity_of(proposed.rank), '') as severity, array_to_string(proposed.names, ' ') as about,
    proposed.subject_kind || ' ' || proposed.subject_id as subject,
    money_text(proposed.amount_milliunits, proposed.currency) as at_stake, proposed.proposed_action,
    proposed.proposed_by as account, said.reason as said, rfc3339(proposed.due_at) as due_at,
    coalesce(proposed.due_at < :'as_of'::timestamptz, false) as is_late
from proposed
left join said on said.case_id = proposed.case_id
order by proposed.place;
