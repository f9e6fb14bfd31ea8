-- purpose: cases under watch: decided by watching, contacting the customer or taking the goods back, and still with an open
--          break or signal; limited to an account's inboxes.
-- parameters: inboxes (text[]): none for all; as_of (timestamptz), decisions (bigint): how many of the newest decisions
--             are read; rows (bigint)
-- grain:   one row per case, newest decision first
with newest as materialized (
    select effective.case_id, effective.decision_id, effective.action, effective.reason, effective.at
    from effective_decisions_at(:'as_of'::timestamptz) as effective
    order by effective.at desc
    limit :'decisions'::bigint
),
ended as (
    select distinct on (newest.case_id) newest.*
    from newest
    order by newest.case_id asc, newest.at desc, newest.decision_id asc
)
select
    kept.case_id, coalesce(severity_of(kept.rank), '') as severity, array_to_string(kept.names, ' ') as about,
    kept.subject_kind || ' ' || kept.subject_id as subject,
    money_text(kept.amount_milliunits, kept.currency) as at_stake, ended.action, ended.reason as said, rfc3339(ended.at) as at
from ended
inner join console_cases as kept on kept.case_id = ended.case_id
where ended.action in ('watch', 'contact', 'take_back')
    and kept.status = 'closed'
    and kept.break_count + kept.signal_count > 0
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by ended.at desc, kept.case_id
limit :'rows'::bigint;
