-- purpose: past cases about the same classes and rules with their outcome, most similar first, among the newest
--          decisions. Undone decisions do not count.
-- parameters: names, inboxes (text[]): of the account, none for all; case_id (text), as_of (timestamptz), rows,
--             decisions (bigint): how many of the newest decisions are read
-- grain:   one row per decided case; the outcome of a case of the fraud team begins with fraud_
select
    latest.case_id, kept.subject, kept.about, latest.action, kept.outcome_prefix || latest.outcome as outcome, latest.reason as said,
    rfc3339(latest.at) as at
from latest_decisions(:'as_of'::timestamptz, '-infinity', :'decisions'::bigint) as latest
inner join case_summaries as kept on kept.case_id = latest.case_id
where latest.case_id <> :'case_id'::text
    and kept.names && :'names'::text[]
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by
    (select count(*) from unnest(kept.names) as shared (name) where shared.name = any(:'names'::text[])) desc, latest.at desc,
    kept.case_id
limit :'rows'::bigint;
