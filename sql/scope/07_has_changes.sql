-- purpose: whether facts came in that no match run has seen.
-- parameters: none
-- grain:   one row
select exists (select from changes) as has_changes;
