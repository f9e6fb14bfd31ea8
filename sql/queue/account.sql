-- purpose: who acts: the login that the database authenticated.
-- parameters: none
-- grain:   one row
select acting_account();
