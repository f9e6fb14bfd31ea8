-- purpose: the matches that this run closes and creates; unchanged matches are left alone.
-- grain:   one row per closed or created match
create temp table match_change on commit drop as
select
    case when matches.order_id is null then 'begun' else 'ended' end as change,
    coalesce(matches.order_id, decided.order_id) as order_id,
    coalesce(matches.charge_id, decided.charge_id) as charge_id,
    coalesce(matches.original_transaction_id, decided.original_transaction_id) as original_transaction_id,
    coalesce(matches.rung, decided.rung) as rung,
    coalesce(matches.confidence, rungs.confidence) as confidence
from match_decided as decided
full join in_matches as matches
    on matches.charge_id = decided.charge_id
    and matches.order_id = decided.order_id
    and matches.rung = decided.rung
left join rungs on rungs.rung = decided.rung
where matches.order_id is null
    or decided.order_id is null;
