-- purpose: past cases about the same classes and rules with their outcome, most similar first, among the newest
--          decisions. Undone decisions do not count.
-- parameters: names, inboxes (text[]): of the account, none for all; case_id (text), as_of (timestamptz), rows,
--             decisions (bigint): how many of the newest decisions are read
-- grain:   one row per decided case; the outcome of a case of the fraud team begins with fraud_
select
    latest.case_id, kept.subject_kind || ' ' || kept.subject_id as subject, array_to_string(kept.names, ' ') as about, latest.action,
    case when 'fraud' = any(kept.teams) then 'fraud_' else '' end || latest.outcome as outcome, latest.reason as said,
    rfc3339(latest.at) as at
from latest_decisions(:'as_of'::timestamptz, '-infinity', :'decisions'::bigint) as latest
inner join console_cases as kept on kept.case_id = latest.case_id
where latest.case_id <> :'case_id'::text
    and kept.names && :'names'::text[]
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by
    (select count(*) from unnest(kept.names) as shared (name) where shared.name = any(:'names'::text[])) desc, latest.at desc,
    kept.case_id
limit :'rows'::bigint;
