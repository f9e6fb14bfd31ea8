-- purpose: the names of what this run looked at are free again.
-- grain:   that of each table
drop view near_orders, near_charges, near_matches, near_claims, near_sightings, rule_link, rule_shared_token;
