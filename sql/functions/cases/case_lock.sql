-- purpose: the first key of the advisory locks of cases; the second one is hashtext of the case's id. Whoever acts on a case holds its
--          lock (queue/hold.sql), and who is given the best case tries them (console/free_cases.sql).
create or replace function payrecon.case_lock() returns integer
language sql immutable parallel safe
as $$
    select 1885434793
$$;
