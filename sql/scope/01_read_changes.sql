-- purpose: reads changes that no match run has taken, without removing them.
-- grain:   one row per changed fact
create temp table scope_change on commit drop as
select distinct changes.kind, changed.id
from changes
cross join lateral unnest(changes.ids) as changed (id)
order by changes.kind, changed.id;
