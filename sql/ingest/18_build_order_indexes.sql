-- purpose: builds the indexes of orders that a first load deferred, in this run or in a killed one.
-- parameters: none
-- grain:   one row
select build_order_indexes() as index_count;
