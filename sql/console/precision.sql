-- purpose: share of cases with a rule's signal that reviewers confirmed. A decision on a pair or on named breaks judges no rule.
-- parameters: rows (bigint)
-- grain:   one row per rule with a case that has a verdict
select
    name.name as rule,
    count(*) as decided,
    count(*) filter (where latest.outcome = 'confirmed') as confirmed,
    count(*) filter (where latest.outcome = 'suspected') as suspected,
    count(*) filter (where latest.outcome = 'false_positive') as false_positive
from verdicts_at('infinity') as latest
inner join console_cases as kept on kept.case_id = latest.case_id
cross join lateral unnest(kept.names) as name (name)
where name.name ~ '^R[0-9]+$'
group by name.name
order by name.name
limit :'rows'::bigint;
