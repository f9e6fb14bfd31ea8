-- purpose: waits until no run is fixing its input, then prevents runs from doing so until the transaction ends. Rows stored
--          until then are visible to the next run or belong to a later one. Any number of transactions may do this at once.
-- grain:   one row
select pg_advisory_xact_lock_shared(1885434754);
