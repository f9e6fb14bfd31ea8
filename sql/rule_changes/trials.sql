-- purpose: back-tests, newest first: findings over their nights, the number of their cases decided before the trial's clock,
--          and the share of these that was confirmed.
-- parameters: rule (text): empty for all, trial_id (text): prefix of an id, empty for all
-- grain:   one row per trial
select
    trial.trial_id, trial.rule, trial.parameters,
    coalesce(ended.outcome, 'waiting') as status,
    coalesce(ended.night_count, 0) as nights,
    ended.signal_count as signals, ended.new_count as new_signals, ended.gone_count as gone_signals, ended.case_count as cases,
    ended.confirmed_count as confirmed, ended.suspected_count as suspected, ended.false_positive_count as false_positive,
    ended.case_count - judged.case_count as unjudged,
    case
        when judged.case_count > 0 then 100 * ended.confirmed_count / judged.case_count || ' % of ' || judged.case_count
    end as precision,
    trial.person, trial.account,
    rfc3339(trial.at) as at,
    ended.fault
from rule_trials as trial
left join rule_trial_ends as ended on ended.trial_id = trial.trial_id
cross join lateral (
    select ended.confirmed_count + ended.suspected_count + ended.false_positive_count as case_count
) as judged
where :'rule'::text in ('', trial.rule)
    and starts_with(trial.trial_id, :'trial_id'::text)
order by trial.at desc, trial.trial_id
limit 1000;
