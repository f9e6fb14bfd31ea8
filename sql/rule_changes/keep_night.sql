-- purpose: stores the findings of a trial at a night's clock.
-- parameters: trial_id, run_id (text), night (timestamptz), signals, new, gone, cases (bigint)
-- grain:   one row
insert into rule_trial_nights (trial_id, as_of, run_id, signal_count, new_count, gone_count, case_count)
values (
    :'trial_id'::text, :'night'::timestamptz, :'run_id'::text, :'signals'::bigint, :'new'::bigint, :'gone'::bigint,
    :'cases'::bigint
);
