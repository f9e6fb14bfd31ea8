-- purpose: whether there are facts or matches that no detect run has evaluated.
-- grain:   one row
select
    exists (select 1 from changes)
    or exists (select 1 from partitions)
    or exists (select 1 from undetected) as is_behind;
