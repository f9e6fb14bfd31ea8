-- purpose: share of cases with a rule's signal that reviewers confirmed.
-- parameters: rows (bigint)
-- grain:   one row per rule with an effective decision
with ended as (
    select distinct on (case_decisions.case_id) case_decisions.case_id, case_decisions.outcome
    from case_decisions
    where case_decisions.step = 'effective'
        and not exists (
            select 1
            from case_undos
            where case_undos.case_id = case_decisions.case_id
                and case_undos.decision_id = case_decisions.decision_id
                and case_undos.step = 'effective'
        )
    order by case_decisions.case_id asc, case_decisions.at desc, case_decisions.decision_id asc
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
