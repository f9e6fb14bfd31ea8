-- purpose: the number of orders or of charges, whichever is greater.
-- grain:   one row
select greatest((select count(*) from orders), (select count(*) from charges)) as row_count;
