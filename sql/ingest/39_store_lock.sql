-- purpose: serializes workers that store Apple evidence until their transactions end. Takes the turn (00_take_turn.sql)
--          first, so that no holder of this lock waits for the turn.
-- grain:   one row
select pg_advisory_xact_lock_shared(1885434754), pg_advisory_xact_lock(1885434752);
