-- purpose: empties the lists of chains and orders.
-- grain:   nothing
truncate sums_chain, sums_order;
