-- purpose: keeps how a trial ended: over all its nights, and of its cases how those ended that people had decided by the
--          trial's clock, where nobody took the decision back by then; the last decision of a case counts.
-- parameters: trial_id, outcome, fault, code_version (text), as_of (timestamptz), nights (integer), signals, new, gone
--             (bigint), case_ids (text[])
-- grain:   one row; none where it has ended already
with asked as (
    select distinct named.case_id
    from unnest(:'case_ids'::text[]) as named (case_id)
),
ended as (
    select distinct on (effective.case_id) effective.case_id, effective.outcome
    from asked
    inner join effective_decisions_at(:'as_of'::timestamptz) as effective on effective.case_id = asked.case_id
    order by effective.case_id asc, effective.at desc, effective.decision_id asc
)
insert into rule_trial_ends (
    trial_id, outcome, fault, night_count, signal_count, new_count, gone_count, case_count, confirmed_count,
    suspected_count, false_positive_count, code_version
)
select
    :'trial_id'::text, :'outcome'::text, :'fault'::text, :'nights'::integer, :'signals'::bigint, :'new'::bigint,
    :'gone'::bigint,
    (select count(*) from asked),
    (select count(*) from ended where ended.outcome = 'confirmed'),
    (select count(*) from ended where ended.outcome = 'suspected'),
    (select count(*) from ended where ended.outcome = 'false_positive'),
    :'code_version'::text
on conflict do nothing;
