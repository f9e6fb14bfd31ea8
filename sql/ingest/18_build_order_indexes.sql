-- purpose: builds the indexes of orders that a first load deferred, in this run or in one that was killed.
-- parameters: none
-- grain:   one row
select build_order_indexes() as index_count;
