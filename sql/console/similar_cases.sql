-- purpose: past cases about the same classes and rules with their outcome, most similar first, among the newest
--          decisions. Undone decisions do not count.
-- parameters: names, inboxes (text[]): of the account, none for all; case_id (text), as_of (timestamptz), rows,
--             decisions (bigint): how many of the newest decisions are read
-- grain:   one row per decided case; the outcome of a case of the fraud team begins with fraud_
with newest as materialized (
    select effective.case_id, effective.decision_id, effective.action, effective.outcome, effective.reason, effective.at
    from effective_decisions_at(:'as_of'::timestamptz) as effective
    order by effective.at desc
    limit :'decisions'::bigint
),
ended as (
    select distinct on (newest.case_id)
        newest.*, kept.subject_kind, kept.subject_id, kept.names, 'fraud' = any(kept.teams) as is_fraud,
        (select count(*) from unnest(kept.names) as shared (name) where shared.name = any(:'names'::text[])) as shared_count
    from newest
    inner join console_cases as kept on kept.case_id = newest.case_id
    where newest.case_id <> :'case_id'::text
        and kept.names && :'names'::text[]
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    order by newest.case_id asc, newest.at desc, newest.decision_id asc
)
select
    ended.case_id, ended.subject_kind || ' ' || ended.subject_id as subject, array_to_string(ended.names, ' ') as about,
    ended.action, case when ended.is_fraud then 'fraud_' else '' end || ended.outcome as outcome,
    ended.reason as said, rfc3339(ended.at) as at
from ended
order by ended.shared_count desc, ended.at desc, ended.case_id
limit :'rows'::bigint;
