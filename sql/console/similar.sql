-- purpose: how cases about the same classes and rules ended, most often first.
-- parameters: names (text[]), case_id (text), as_of (timestamptz), rows (bigint)
-- grain:   one row per decision and outcome
select case_decisions.action, case_decisions.outcome, count(*) as case_count, rfc3339(max(case_decisions.at)) as newest
from case_decisions
inner join console_cases as kept on kept.case_id = case_decisions.case_id
where case_decisions.step = 'effective'
    and case_decisions.case_id <> :'case_id'::text
    and case_decisions.at <= :'as_of'::timestamptz
    and kept.names && :'names'::text[]
group by case_decisions.action, case_decisions.outcome
order by case_count desc, case_decisions.action, case_decisions.outcome
limit :'rows'::bigint;
