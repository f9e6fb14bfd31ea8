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
    acted.what, acted.step, acted.action,
    case
        when exists (
            select 1 from console_cases as kept where kept.case_id = :'case_id'::text and 'fraud' = any(kept.teams)
        ) then 'fraud_'
        else ''
    end || acted.outcome as outcome,
    person_text(acted.person, acted.account) as account, acted.reason, rfc3339(acted.at) as at,
    acted.order_id, acted.charge_id, rfc3339(acted.holds_until) as until
from (
    select
        1 as place, 'decision' as what, case_decisions.step, case_decisions.action, case_decisions.outcome,
        case when case_decisions.step = 'proposed' then case_decisions.decided_by
            else coalesce(case_decisions.approved_by, case_decisions.decided_by) end as person,
        case_decisions.account, case_decisions.reason, case_decisions.at, case_decisions.order_id,
        case_decisions.charge_id, case_decisions.holds_until
    from latest
    inner join case_decisions on case_decisions.decision_id = latest.decision_id
    where case_decisions.case_id = :'case_id'::text
    union all
    select
        2, 'undo', case_undos.step, case_undos.action, null,
        case when case_undos.step = 'proposed' then case_undos.asked_by else coalesce(case_undos.approved_by, case_undos.asked_by) end,
        case_undos.account, case_undos.reason, case_undos.at, null, null, null
    from latest
    inner join case_undos on case_undos.decision_id = latest.decision_id
    where case_undos.case_id = :'case_id'::text
) as acted
where acted.at <= :'as_of'::timestamptz
order by acted.at, acted.place, acted.step <> 'proposed';
