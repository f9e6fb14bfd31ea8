-- purpose: forgets what changed, where everything is looked at.
-- parameters: none
-- grain:   one row per chunk of changes
delete from changes;
