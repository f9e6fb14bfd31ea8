-- purpose: transaction settings that functions read, if the large tables are distributed: the past clock and the report's
--          parameters, which each node must receive.
-- grain:   one row per setting; none if all tables are on one node
select parameter.name, current_setting(parameter.name, true) as setting
from (
    values
        ('payrecon.as_of'), ('payrecon.viewed_at'), ('payrecon.viewed_bundles'), ('payrecon.viewed_period'),
        ('payrecon.viewed_starts'), ('payrecon.viewed_zones')
) as parameter (name)
where current_setting(parameter.name, true) <> ''
    and is_distributed()
order by parameter.name;
