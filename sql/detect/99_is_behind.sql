-- purpose: whether facts or matches came in that no detect run has looked at.
-- parameters: none
-- grain:   one row
select exists (select from changes) or exists (select from undetected) as is_behind;
