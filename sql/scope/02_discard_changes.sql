-- purpose: removes all changes before a run that evaluates everything.
-- parameters: none
-- grain:   one row per chunk of changes
delete from changes;
