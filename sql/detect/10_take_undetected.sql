-- purpose: removes from the queue the decisions of match runs that no detect run has evaluated. Later commits stay for the
--          next run.
-- grain:   one row per order and chain, and one per order with a changed state and its chain
create temp table detect_taken on commit drop as
with taken as (
    delete from undetected
    returning kind, ids
)
select distinct taken.kind, decided.id
from taken
cross join lateral unnest(taken.ids) as decided (id)
order by taken.kind, decided.id;
