-- purpose: who acts: the login that the database authenticated; "set role" does not change it.
create or replace function payrecon.acting_account() returns text
language sql stable parallel safe
return session_user::text;
