-- purpose: makes room for other charges and orders.
-- grain:   nothing
truncate sums_chain, sums_order;
