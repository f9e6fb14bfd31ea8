-- purpose: transaction settings that functions read, which each node must receive: the past clock and the report's parameters.
-- grain:   one row per setting that is set
select parameter.name, current_setting(parameter.name, true) as setting
from (
    values
        ('payrecon.as_of'), ('payrecon.viewed_at'), ('payrecon.viewed_bundles'), ('payrecon.viewed_period'),
        ('payrecon.viewed_starts'), ('payrecon.viewed_zones')
) as parameter (name)
where current_setting(parameter.name, true) <> ''
order by parameter.name;
