-- purpose: makes workers that store what Apple said wait for each other until their transactions end; first for their turn
--          (00_take_turn.sql), so that nobody waits for it who holds this lock.
-- parameters: none
-- grain:   one row
select pg_advisory_xact_lock_shared(1885434754), pg_advisory_xact_lock(1885434752);
