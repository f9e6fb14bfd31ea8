-- purpose: nodes of the server with unfinished committed transactions, or that do not answer.
-- grain:   one row per such node: host:port, and the error if it does not answer; none if all tables are on one node
select node, fault from nodes_in_doubt() order by node;
