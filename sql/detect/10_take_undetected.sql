-- purpose: takes what match runs decided and no detect run has looked at; what commits later stays for the next run.
-- grain:   one row per order and chain, and per order of another state and its chain
create temp table detect_taken on commit drop as
with taken as (
    delete from undetected
    returning kind, ids
)
select distinct taken.kind, decided.id
from taken
cross join lateral unnest(taken.ids) as decided (id)
order by taken.kind, decided.id;
