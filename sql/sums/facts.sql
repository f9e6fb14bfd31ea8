-- purpose: temporary tables that replace those of fact_rows(), for the changed charges and orders as of a clock.
-- grain:   one row per charge, order and match
create temp table summed_charges (like payrecon.summed_charges) on commit drop;
create temp table summed_orders (like payrecon.summed_orders) on commit drop;
create temp table summed_matches (like payrecon.summed_matches) on commit drop;
