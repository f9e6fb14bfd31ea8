-- purpose: nodes of the server that have not finished what was committed, or do not answer.
-- parameters: none
-- grain:   one row per such node: as host:port, and what it failed with where it does not answer; none where all tables lie on one
--          node
select node, fault from nodes_in_doubt() order by node;
