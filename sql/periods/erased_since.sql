-- purpose: the number of people who were erased after a clock; their names in reports of that clock changed.
-- parameters: since (timestamptz)
-- grain:   one row
select count(*) from erased_users where erased_at > :'since'::timestamptz;
