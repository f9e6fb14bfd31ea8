-- purpose: the acting account: of the console's session, else the database login.
-- grain:   one row
select acting_account();
