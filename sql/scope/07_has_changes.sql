-- purpose: whether facts came in that no match run has seen to the end.
-- parameters: none
-- grain:   one row
select exists (select 1 from changes) or exists (select 1 from pieces where job = 'match') as has_changes;
