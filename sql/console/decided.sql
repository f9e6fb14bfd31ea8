-- purpose: decided cases with the latest effective decision, limited to an account's inboxes, newest first.
-- parameters: inboxes (text[]): none for all; name (text): class or rule, empty for any; since,
--             until (timestamptz): first and last instant of the decision; decisions (bigint): how many of the newest
--             decisions are read; rows (bigint)
-- grain:   one row per case; the outcome of a case of the fraud team begins with fraud_
select
    kept.case_id, case when kept.proposed_action = 'undo' then 'undo_proposed' else kept.status end as status,
    array_to_string(kept.names, ' ') as about, kept.subject_kind || ' ' || kept.subject_id as subject,
    money_text(kept.amount_milliunits, kept.currency) as at_stake, latest.action,
    case when 'fraud' = any(kept.teams) then 'fraud_' else '' end || latest.outcome as outcome,
    person_text(latest.person, latest.account) as account,
    latest.reason as said, rfc3339(latest.at) as at
from latest_decisions(:'until'::timestamptz, :'since'::timestamptz, :'decisions'::bigint) as latest
inner join console_cases as kept on kept.case_id = latest.case_id
where (:'name'::text = '' or kept.names @> array[:'name'::text collate "C"])
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by latest.at desc, kept.case_id
limit :'rows'::bigint;
