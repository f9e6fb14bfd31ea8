-- purpose: share of cases with a rule's signal that reviewers confirmed. A decision on named breaks alone judges no signal.
-- parameters: rows (bigint)
-- grain:   one row per rule with an effective decision
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
