-- purpose: whether there are facts that no match run has evaluated completely.
-- grain:   one row
select exists (select 1 from changes) or exists (select 1 from partitions) as has_changes;
