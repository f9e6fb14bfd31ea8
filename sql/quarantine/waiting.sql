-- purpose: whether the door counted anything that no batch has taken.
-- parameters: none
-- grain:   one row
select exists (select 1 from refused_notifications) as has_refused;
