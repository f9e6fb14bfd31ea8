-- purpose: the latest decision on a case and the undo of it, with the person and the reason of each step.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row per step, in the order of the acts; none without a decision. The outcome of a case of the fraud
--          team begins with fraud_
with latest as (
    select case_decisions.decision_id
    from case_decisions
    where case_decisions.case_id = :'case_id'::text
        and case_decisions.at <= :'as_of'::timestamptz
    order by case_decisions.at desc, case_decisions.step <> 'proposed' desc, case_decisions.decision_id
    limit 1
)
select
    acted.kind as what, acted.step, acted.action,
    coalesce((select kept.outcome_prefix from case_summaries as kept where kept.case_id = :'case_id'::text), '')
        || acted.outcome as outcome,
    person_text(acted.person, acted.account) as account, acted.reason, rfc3339(acted.at) as at,
    acted.order_id, acted.charge_id, rfc3339(acted.until) as until
from latest
inner join case_acts as acted on acted.decision_id = latest.decision_id
where acted.case_id = :'case_id'::text
    and acted.at <= :'as_of'::timestamptz
order by acted.at, acted.turn, acted.step <> 'proposed';
