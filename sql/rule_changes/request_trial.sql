-- purpose: requests a back-test of a rule with other parameters.
-- parameters: trial_id, rule, parameters, person (text), night_max (integer), as_of (timestamptz)
-- grain:   one row
insert into rule_trials (trial_id, rule, parameters, night_max, person, account, at)
values (
    :'trial_id'::text, :'rule'::text, :'parameters'::text, :'night_max'::integer, :'person'::text, '',
    :'as_of'::timestamptz
);
