-- purpose: copies all inputs of rungs, classes and rules for the transaction if large tables are distributed over nodes. The
--          copies replace the views of sql/inputs/all.sql and sql/partitions/combine.sql.
-- grain:   as in each table
select gather_inputs();
