-- purpose: whether any user was erased.
-- grain:   one row
select exists (select 1 from erased_users) as has_erased_users;
