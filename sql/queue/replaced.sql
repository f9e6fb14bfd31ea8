-- purpose: decisions about an order and a charge that a new decision would replace, because they contradict it.
-- parameters: order_id, charge_id, action (text): of the new decision
-- grain:   one row per replaced decision, newest first
with current_charge as materialized (
    select coalesce(max(renamed.charge_id), :'charge_id'::text) as charge_id
    from renamed_charges_at('infinity', array[:'charge_id'::text]) as renamed
),
new_fact as materialized (
    select fact.thing, fact.settled
    from current_charge
    cross join lateral resolves_pair(:'order_id'::text, current_charge.charge_id, :'action'::text) as fact
),
replaced as materialized (
    select distinct
        decision.action, decision.order_id, decision.charge_id, decision.decided_by, decision.approved_by, decision.case_id,
        decision.at, decision.decision_id
    from decided_pairs_at('infinity') as decision
    cross join lateral resolves_pair(decision.order_id, decision.charge_id, decision.action) as fact
    inner join new_fact on new_fact.thing = fact.thing and new_fact.settled <> fact.settled
)
select
    replaced.action, replaced.order_id, replaced.charge_id, replaced.decided_by, replaced.approved_by, replaced.case_id,
    rfc3339(replaced.at) as at
from replaced
order by replaced.at desc, replaced.decision_id desc;
