-- purpose: whether labels remain to be merged.
-- parameters: none
-- grain:   one row
select exists (select 1 from cut_tie) as has_more;
