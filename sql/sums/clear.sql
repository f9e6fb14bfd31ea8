-- purpose: makes room for the facts of another clock.
-- grain:   nothing
truncate pg_temp.summed_charges, pg_temp.summed_orders, pg_temp.summed_matches;
