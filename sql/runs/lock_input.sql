-- purpose: blocks writers of input until the input is released (unlock_input.sql) or the session ends.
-- grain:   one row
select pg_advisory_lock(1885434754);
