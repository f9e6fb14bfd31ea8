-- purpose: how cases about the same classes and rules ended, most often first; a decision that was taken back is none.
-- parameters: names (text[]), case_id (text), as_of (timestamptz), rows (bigint)
-- grain:   one row per decision and outcome
select effective.action, effective.outcome, count(*) as case_count, rfc3339(max(effective.at)) as newest
from effective_decisions_at(:'as_of'::timestamptz) as effective
inner join console_cases as kept on kept.case_id = effective.case_id
where effective.case_id <> :'case_id'::text
    and kept.names && :'names'::text[]
group by effective.action, effective.outcome
order by case_count desc, effective.action, effective.outcome
limit :'rows'::bigint;
