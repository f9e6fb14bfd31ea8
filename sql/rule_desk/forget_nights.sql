-- purpose: a trial that was broken off begins anew.
-- parameters: trial_id (text)
-- grain:   one row per night of the trial
delete from rule_trial_nights
where rule_trial_nights.trial_id = :'trial_id'::text;
