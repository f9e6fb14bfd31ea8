-- purpose: marks a partition as decided.
-- parameters: partition (integer)
-- grain:   one row
update partitions
set is_decided = true
where partition = :'partition'::integer;
