-- purpose: decided cases with the latest effective decision, limited to an account's inboxes, newest first.
-- parameters: inboxes (text[]): none for all; name (text): class or rule, empty for any; since, until (timestamptz): first and
--             last instant of the decision; decisions (bigint): how many of the newest decisions are read; rows (bigint)
-- grain:   one row per case; the outcome of a case of the fraud team begins with fraud_
select
    kept.case_id, kept.shown_status as status, kept.about, kept.subject, kept.at_stake, latest.action,
    kept.outcome_prefix || latest.outcome as outcome,
    person_text(latest.person, latest.account) as account,
    latest.reason as said, rfc3339(latest.at) as at
from latest_decisions(:'until'::timestamptz, :'since'::timestamptz, :'decisions'::bigint) as latest
inner join case_summaries as kept on kept.case_id = latest.case_id
where (:'name'::text = '' or kept.names @> array[:'name'::text collate "C"])
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by latest.at desc, kept.case_id
limit :'rows'::bigint;
