-- purpose: the findings of a back-test per night, newest first.
-- parameters: trial_id (text)
-- grain:   one row per night
select
    rfc3339(night.as_of) as as_of,
    night.run_id, night.signal_count as signals, night.new_count as new_signals, night.gone_count as gone_signals,
    night.case_count as cases
from rule_trial_nights as night
where night.trial_id = :'trial_id'::text
order by night.as_of desc;
