-- purpose: takes the changes that came in since the last run; what commits later stays for the next one.
-- grain:   one row per changed fact
create temp table scope_change on commit drop as
with taken as (
    delete from changes
    returning kind, ids
)
select distinct taken.kind, changed.id
from taken
cross join lateral unnest(taken.ids) as changed (id)
-- Neighbours are looked up together, here and in all that follows.
order by taken.kind, changed.id;
