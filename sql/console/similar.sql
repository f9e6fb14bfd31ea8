-- purpose: outcomes of decided cases about the same classes and rules, most frequent first, among the newest decisions.
--          Undone decisions do not count.
-- parameters: names (text[]), case_id (text), as_of (timestamptz), rows, decisions (bigint): how many of the newest
--             decisions are read
-- grain:   one row per decision and outcome
with newest as materialized (
    select effective.case_id, effective.action, effective.outcome, effective.at
    from effective_decisions_at(:'as_of'::timestamptz) as effective
    order by effective.at desc
    limit :'decisions'::bigint
)
select newest.action, newest.outcome, count(*) as case_count, rfc3339(max(newest.at)) as newest
from newest
inner join console_cases as kept on kept.case_id = newest.case_id
where newest.case_id <> :'case_id'::text
    and kept.names && :'names'::text[]
group by newest.action, newest.outcome
order by case_count desc, newest.action, newest.outcome
limit :'rows'::bigint;
