-- purpose: takes the changes since the last run; later commits stay for the next run.
-- grain:   one row per changed fact
create temp table scope_change on commit drop as
with taken as (delete from changes returning kind, ids)
select distinct taken.kind, changed.id
from taken
cross join lateral unnest(taken.ids) as changed (id)
-- Sorted, so that neighbouring rows are read together in all later steps.
order by taken.kind, changed.id;
