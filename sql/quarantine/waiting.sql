-- purpose: whether the door counted anything that no batch has taken.
-- parameters: none
-- grain:   one row
select exists (select from refused_posts) as has_refused;
