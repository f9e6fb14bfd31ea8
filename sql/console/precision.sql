-- purpose: share of cases with a rule's signal that reviewers confirmed.
-- parameters: rows (bigint)
-- grain:   one row per rule with an effective decision
with ended as (
    select distinct on (decided.case_id) decided.case_id, decided.outcome
    from effective_decisions_at('infinity') as decided
    order by decided.case_id asc, decided.at desc, decided.decision_id asc
)
select
    name.name as rule,
    count(*) as decided,
    count(*) filter (where ended.outcome = 'confirmed') as confirmed,
    count(*) filter (where ended.outcome = 'suspected') as suspected,
    count(*) filter (where ended.outcome = 'false_positive') as false_positive
from ended
inner join console_cases as kept on kept.case_id = ended.case_id
cross join lateral unnest(kept.names) as name (name)
where name.name ~ '^R[0-9]+$'
group by name.name
order by name.name
limit :'rows'::bigint;
