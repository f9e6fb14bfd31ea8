-- purpose: export of the matches active at an instant.
-- grain:   one row per match
select
    matches.order_id, matches.charge_id, matches.rung, matches.confidence,
    case
        when orders.transaction_id = any(charges.transaction_ids) then orders.transaction_id
        else charges.transaction_ids[1]
    end as transaction_id,
    matches.original_transaction_id, charges.web_order_line_item_id, charges.bundle_id, charges.environment,
    charges.product_id, orders.user_id,
    rfc3339(matches.valid_from) as decided_at,
    matches.run_id
from matches
inner join charges using (original_transaction_id, charge_id)
inner join orders on orders.order_id = matches.order_id
order by matches.order_id, matches.charge_id;
