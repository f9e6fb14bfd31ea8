-- purpose: removes all changes before a run that evaluates everything.
-- grain:   one row per chunk of changes
delete from changes;
