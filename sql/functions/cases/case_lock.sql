-- purpose: Returns the first key of the advisory locks of cases; the second is hashtext of the case's id. Acts on a case
--          take its lock (queue/lock_cases.sql), and the assignment of the best case tries it (console/free_cases.sql).
create or replace function payrecon.case_lock() returns integer
language sql immutable parallel safe
return 1885434793;
