-- purpose: whether the large tables are distributed over several nodes.
-- grain:   one row
select is_distributed() as is_distributed;
