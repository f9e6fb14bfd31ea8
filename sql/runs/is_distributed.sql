-- purpose: whether the large tables lie on several nodes.
-- parameters: none
-- grain:   one row
select is_distributed() as is_distributed;
