-- purpose: holds back who stores input, until input is let go on (let_input_go_on.sql) or the session ends.
-- parameters: none
-- grain:   one row
select pg_advisory_lock(1885434754);
