-- purpose: past cases about the same classes and rules with how they ended, those that share most first; a decision that was
--          taken back is none.
-- parameters: names, inboxes (text[]): of the account, none for all; case_id (text), as_of (timestamptz), rows (bigint)
-- grain:   one row per case that was decided
with alike as (
    select
        kept.case_id, kept.subject_kind, kept.subject_id, kept.names,
        (select count(*) from unnest(kept.names) as shared (name) where shared.name = any(:'names'::text[])) as shared_count
    from console_cases as kept
    where kept.case_id <> :'case_id'::text
        and kept.names && :'names'::text[]
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
),
ended as (
    select distinct on (effective.case_id)
        alike.*, effective.action, effective.outcome, effective.reason, effective.at
    from effective_decisions_at(:'as_of'::timestamptz) as effective
    inner join alike on alike.case_id = effective.case_id
    order by effective.case_id asc, effective.at desc, effective.decision_id asc
)
select
    ended.case_id, ended.subject_kind || ' ' || ended.subject_id as subject, array_to_string(ended.names, ' ') as about,
    ended.action, ended.outcome, ended.reason as said, rfc3339(ended.at) as at
from ended
order by ended.shared_count desc, ended.at desc, ended.case_id
limit :'rows'::bigint;
