-- purpose: console accounts that may approve decisions; with the database logins they satisfy the two-person rule.
-- grain:   one row per account
select workers.account from console_workers() as workers order by workers.account collate "C";
