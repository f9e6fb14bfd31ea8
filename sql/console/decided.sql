-- purpose: decided cases with the latest effective decision, limited to an account's inboxes, newest first.
-- parameters: inboxes (text[]): none for all; name (text): class or rule, empty for any; since,
--             until (timestamptz): first and last instant of the decision; decisions (bigint): how many of the newest
--             decisions are read; rows (bigint)
-- grain:   one row per case; the outcome of a case of the fraud team begins with fraud_
with newest as materialized (
    select effective.case_id, effective.decision_id, effective.action, effective.outcome, effective.account, effective.reason,
        coalesce(effective.approved_by, effective.decided_by) as person,
        effective.at
    from effective_decisions_at(:'until'::timestamptz) as effective
    where effective.at >= :'since'::timestamptz
    order by effective.at desc
    limit :'decisions'::bigint
),
ended as (
    select distinct on (newest.case_id) newest.*
    from newest
    order by newest.case_id asc, newest.at desc, newest.decision_id asc
)
select
    kept.case_id, case when kept.proposed_action = 'undo' then 'undo_proposed' else kept.status end as status,
    array_to_string(kept.names, ' ') as about, kept.subject_kind || ' ' || kept.subject_id as subject,
    money_text(kept.amount_milliunits, kept.currency) as at_stake, ended.action,
    case when 'fraud' = any(kept.teams) then 'fraud_' else '' end || ended.outcome as outcome,
    person_text(ended.person, ended.account) as account,
    ended.reason as said, rfc3339(ended.at) as at
from ended
inner join console_cases as kept on kept.case_id = ended.case_id
where (:'name'::text = '' or kept.names @> array[:'name'::text collate "C"])
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by ended.at desc, kept.case_id
limit :'rows'::bigint;
