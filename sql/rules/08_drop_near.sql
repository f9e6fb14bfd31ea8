-- purpose: a list or a price changed: what the run looked at is not enough for the rules.
-- grain:   that of each table
drop table near_orders, near_charges, near_matches, near_claims, near_sightings;
