-- purpose: closes and reopenings of a period up to a clock with their persons, newest first.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per step
select
    step.kind, step.step, rfc3339(step.as_of) as closed_as_of, step.account, step.person, step.reason, rfc3339(step.at) as at,
    step.coverage::text as coverage_percent, step.reports_sha256, step.settings_sha256, step.code_version
from period_steps as step
where step.fiscal_period = :'period'::text
    and step.at <= :'as_of'::timestamptz
order by step.at desc, step.act_id, step.step = 'proposed', step.step
limit 1000;
