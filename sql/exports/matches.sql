-- purpose: export of the matches that held at an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row per match
with held as (
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
    held.order_id,
    held.charge_id,
    held.rung,
    held.confidence,
    case
        when orders.transaction_id = any(charges.transaction_ids) then orders.transaction_id
        else charges.transaction_ids[1]
    end as transaction_id,
    held.original_transaction_id,
    charges.web_order_line_item_id,
    charges.bundle_id,
    charges.environment,
    charges.product_id,
    orders.user_id,
    rfc3339(held.valid_from) as decided_at,
    held.run_id
from held
inner join charges
    on charges.original_transaction_id = held.original_transaction_id
    and charges.charge_id = held.charge_id
inner join orders on orders.order_id = held.order_id
order by held.order_id, held.charge_id;
