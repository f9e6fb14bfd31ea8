-- purpose: the matches that a dry run would close and create, and those that a self-check finds different.
-- grain:   one row per closed or created match
create temp view match_change as
select
    case when matches.order_id is null then 'created' else 'closed' end as change,
    coalesce(matches.order_id, decided.order_id) as order_id,
    coalesce(matches.charge_id, decided.charge_id) as charge_id,
    coalesce(matches.rung, decided.rung) as rung
from match_decided as decided
full join in_matches as matches using (charge_id, order_id, rung)
where matches.order_id is null
    or decided.order_id is null;
