-- purpose: forgets what changed, where everything is looked at and nothing is linked yet.
-- parameters: none
-- grain:   one row per chunk of changes
delete from changes;
