-- purpose: what rungs, classes and rules read of everything, where large tables lie on several nodes: copies for the transaction,
--          in the place of the views of sql/inputs/all.sql and sql/match/pieces/union.sql.
-- grain:   that of each table
select gather_inputs();
