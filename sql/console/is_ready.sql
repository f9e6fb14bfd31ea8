-- purpose: whether pages can be answered: they record who looked at what, so a server in recovery answers none.
-- parameters: none
-- grain:   one row
select not pg_is_in_recovery() as is_ready;
