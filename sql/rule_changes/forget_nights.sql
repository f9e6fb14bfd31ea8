-- purpose: removes the nights of an interrupted trial before it restarts.
-- parameters: trial_id (text)
-- grain:   one row per night of the trial
delete from rule_trial_nights
where rule_trial_nights.trial_id = :'trial_id'::text;
