-- purpose: what functions are told by settings of the transaction, where the large tables lie on several nodes: the clock that is
--          looked back to and what is asked for, which each node has to be told.
-- parameters: none
-- grain:   one row per setting; none where all tables lie on one node
select told.name, current_setting(told.name, true) as setting
from (
    values
        ('payrecon.as_of'), ('payrecon.viewed_at'), ('payrecon.viewed_bundles'), ('payrecon.viewed_period'),
        ('payrecon.viewed_zones')
) as told (name)
where current_setting(told.name, true) <> ''
    and is_distributed()
order by told.name;
