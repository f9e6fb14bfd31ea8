-- purpose: empties the tables of facts before another clock is loaded.
-- grain:   nothing
truncate pg_temp.summed_charges, pg_temp.summed_orders, pg_temp.summed_matches;
