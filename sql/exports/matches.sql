-- purpose: export of the matches active at an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row per match
with active_match as (
    select order_id, charge_id, original_transaction_id, rung, confidence, valid_from, run_id
    from matches
    where valid_from <= :'as_of'::timestamptz
    union all
    select order_id, charge_id, original_transaction_id, rung, confidence, valid_from, run_id
    from ended_matches
    where valid_from <= :'as_of'::timestamptz
        and valid_to > :'as_of'::timestamptz
)
select
    active_match.order_id, active_match.charge_id, active_match.rung, active_match.confidence,
    case
        when orders.transaction_id = any(charges.transaction_ids) then orders.transaction_id
        else charges.transaction_ids[1]
    end as transaction_id,
    active_match.original_transaction_id, charges.web_order_line_item_id, charges.bundle_id, charges.environment,
    charges.product_id, orders.user_id,
    rfc3339(active_match.valid_from) as decided_at,
    active_match.run_id
from active_match
inner join charges
    on charges.original_transaction_id = active_match.original_transaction_id
    and charges.charge_id = active_match.charge_id
inner join orders on orders.order_id = active_match.order_id
order by active_match.order_id, active_match.charge_id;
