-- purpose: waits until no run is fixing its input, then holds the turn. Rows stored while it is held are visible to that run
--          or belong to a later one. Any number of transactions hold the turn at once.
-- grain:   one row
select pg_advisory_xact_lock_shared(1885434754);
