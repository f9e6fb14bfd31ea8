-- purpose: how much a scope holds.
-- parameters: none
-- grain:   one row: orders or chains, whichever are more
select greatest((select count(*) from scope_order), (select count(*) from scope_chain)) as row_count;
