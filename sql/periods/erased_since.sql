-- purpose: the number of users who were erased after a clock. Reports of that clock may name them.
-- parameters: since (timestamptz)
-- grain:   one row
select count(*) from erased_users where erased_at > :'since'::timestamptz;
