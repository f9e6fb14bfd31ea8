-- purpose: how many orders or charges there are, whichever are more.
-- parameters: none
-- grain:   one row
select greatest((select count(*) from orders), (select count(*) from charges)) as row_count;
