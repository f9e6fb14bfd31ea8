-- purpose: console accounts that may approve decisions; with the database logins they satisfy the two-person rule.
-- grain:   one row per account
select deciders.account from console_deciders() as deciders order by deciders.account collate "C";
