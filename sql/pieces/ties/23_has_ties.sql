-- purpose: whether labels are left that are one and are not known to be.
-- parameters: none
-- grain:   one row
select exists (select 1 from cut_tie) as has_more;
