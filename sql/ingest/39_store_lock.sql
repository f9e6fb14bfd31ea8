-- purpose: makes workers that store what Apple said wait for each other until their transactions end.
-- parameters: none
-- grain:   one row
select pg_advisory_xact_lock(1885434752);
