-- purpose: unfinished trials, oldest first.
-- parameters: trial_id (text): only this trial; empty for all
-- grain:   one row per trial
select trial.trial_id, trial.rule, trial.parameters, trial.night_max, rfc3339(trial.at) as at
from rule_trials as trial
where not exists (select 1 from rule_trial_ends as ended where ended.trial_id = trial.trial_id)
    and :'trial_id'::text in ('', trial.trial_id)
order by trial.at, trial.trial_id
limit 100;
