-- purpose: makes room for the facts of another clock.
-- grain:   nothing
truncate pg_temp.charges, pg_temp.orders, pg_temp.matches;
