-- purpose: whether the large tables lie on several nodes, and which of these may lose what they committed.
-- parameters: none
-- grain:   one row; the names are null where all nodes keep it
select is_distributed() as is_distributed, string_agg(forgetful.node, ', ' order by forgetful.node) as nodes
from nodes_without_durable_commit() as forgetful (node);
