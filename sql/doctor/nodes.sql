-- purpose: whether the large tables are distributed over several nodes, and which of these may lose committed data.
-- grain:   one row; the names are null if no node may lose data
select is_distributed() as is_distributed, string_agg(forgetful.node, ', ' order by forgetful.node) as nodes
from nodes_without_durable_commit() as forgetful (node);
