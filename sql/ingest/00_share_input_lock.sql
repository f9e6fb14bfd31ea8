-- purpose: waits until no run has the input lock (runs/lock_input.sql), then shares it until the transaction ends. A run
--          does not see half of the rows stored under it: they belong to that run or to a later one. Any number of
--          transactions share the lock.
-- grain:   one row
select pg_advisory_xact_lock_shared(1885434754);
