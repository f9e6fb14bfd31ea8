-- purpose: records the outcome of a trial: totals over its nights, and how reviewers decided its cases. The verdict on a
--          case counts that was given before the trial's clock and not undone before it.
-- parameters: trial_id, outcome, fault, code_version (text), as_of (timestamptz), nights (integer), signals, new, gone
--             (bigint), case_ids (text[])
-- grain:   one row; none if it has already ended
with trial_case as (select distinct named.case_id from unnest(:'case_ids'::text[]) as named (case_id)),
ended as (
    select verdict.case_id, verdict.outcome
    from trial_case
    inner join verdicts_at(:'as_of'::timestamptz) as verdict on verdict.case_id = trial_case.case_id
)
insert into rule_trial_ends (
    trial_id, outcome, fault, night_count, signal_count, new_count, gone_count, case_count, confirmed_count,
    suspected_count, false_positive_count, code_version
)
select
    :'trial_id'::text, :'outcome'::text, :'fault'::text, :'nights'::integer, :'signals'::bigint, :'new'::bigint,
    :'gone'::bigint,
    (select count(*) from trial_case),
    (select count(*) from ended where ended.outcome = 'confirmed'),
    (select count(*) from ended where ended.outcome = 'suspected'),
    (select count(*) from ended where ended.outcome = 'false_positive'),
    :'code_version'::text
on conflict do nothing;
