-- purpose: whether facts or matches came in that no detect run has looked at.
-- parameters: none
-- grain:   one row
select
    exists (select 1 from changes)
    or exists (select 1 from pieces)
    or exists (select 1 from undetected) as is_behind;
