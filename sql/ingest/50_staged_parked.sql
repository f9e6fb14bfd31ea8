-- purpose: staging table for input that could not be accepted.
-- grain:   one row per item to park
create temp table if not exists staged_parked (like payrecon.parked_items) on commit delete rows;
