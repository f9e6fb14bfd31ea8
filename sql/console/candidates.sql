-- purpose: the orders among which a reviewer chooses the one that a charge pays, best first, each with the reason.
-- parameters: charge_ids (text[]), rows (bigint)
-- grain:   one row per charge and candidate order
with charged as materialized (
    select
        charges.original_transaction_id, charges.charge_id, charges.price_milliunits, charges.currency, charges.product_id,
        charges.quantity
    from charges
    where charges.charge_id = any(:'charge_ids'::text[])
),
candidate as materialized (
    select
        charged.*, ambiguous_candidates.order_id, ambiguous_candidates.rank, ambiguous_candidates.tie,
        ambiguous_candidates.delay_seconds
    from charged
    inner join ambiguous_candidates using (original_transaction_id, charge_id)
)
select
    candidate.charge_id, orders.order_id, candidate.rank, orders.user_id, orders.status,
    orders.product_id || ' x ' || orders.quantity as product_id,
    orders.product_id = candidate.product_id and orders.quantity = candidate.quantity as is_same_product,
    money_text(orders.price_milliunits, orders.currency) as price,
    (orders.price_milliunits, orders.currency) is not distinct from (candidate.price_milliunits, candidate.currency)
        as is_same_price,
    rfc3339(orders.created_at) as created_at,
    candidate.delay_seconds,
    orders.device_id,
    candidate_reason(candidate.tie, candidate.product_id, candidate.quantity, candidate.delay_seconds) as detail
from candidate
inner join orders on orders.order_id = candidate.order_id
order by candidate.charge_id, candidate.rank, orders.order_id
limit :'rows'::bigint;
