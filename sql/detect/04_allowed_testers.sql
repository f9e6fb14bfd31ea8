-- purpose: testers that the users file names may hold live goods from sandbox purchases of every app.
-- parameters: none
-- grain:   one row per tester and app that sold to the tester
insert into allowed_sandbox (bundle_id, user_id, allowed_from, allowed_to)
select distinct orders.bundle_id, users.user_id, timestamptz '-infinity', timestamptz 'infinity'
from users
inner join orders on orders.user_id = users.user_id
where users.is_tester;
