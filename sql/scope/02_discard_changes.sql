-- purpose: forgets what changed, where everything is looked at and no keys are written yet.
-- parameters: none
-- grain:   one row per chunk of changes
delete from changes;
