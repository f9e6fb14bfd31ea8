-- purpose: has whoever gathers cases wait for whoever does already; it ends with the transaction.
-- parameters: none
-- grain:   one row
select pg_advisory_xact_lock(1885434791);
