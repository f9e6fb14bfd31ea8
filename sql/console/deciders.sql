-- purpose: accounts of the console that may decide: beside logins of the database, who is "two people".
-- parameters: none
-- grain:   one row per account
select deciders.account from console_deciders() as deciders order by deciders.account collate "C";
