-- purpose: whether facts came in that no match run has seen.
-- parameters: none
-- grain:   one row
select exists (select 1 from changes) as has_changes;
