-- purpose: releases writers of input; the state that a run decides on is fixed.
-- grain:   one row
select pg_advisory_unlock(1885434754);
