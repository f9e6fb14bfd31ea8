-- purpose: serializes workers that store Apple evidence until their transactions end. Shares the input lock
--          (00_share_input_lock.sql) first, so that no holder of this lock waits for that one.
-- grain:   one row
select pg_advisory_xact_lock_shared(1885434754), pg_advisory_xact_lock(1885434752);
