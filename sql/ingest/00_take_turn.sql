-- purpose: waits until no run names what it reads. Who holds the turn stores what that run reads, or comes after it; any
--          number of transactions hold it at once.
-- parameters: none
-- grain:   one row
select pg_advisory_xact_lock_shared(1885434754);
