-- purpose: rung M1: the order names a transaction that is an alias of the charge; what does not fit is refused with its reason. An
--          order that names the first transaction of its user's subscription for a later period (OTHER_PERIOD) is left to M4.
-- parameters: late (interval): a purchase older than this before its order is refused as hoarded
-- grain:   one candidate per order and charge
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
select
    'M1',
    match_order.order_id,
    match_charge.charge_id,
    match_charge.original_transaction_id,
    case
        when match_order.period_transaction_id is null
            and coalesce(match_charge.owner, match_order.user_id) = match_order.user_id then 'OTHER_PERIOD'
        else claim_refusal(
            match_order.bundle_id, match_order.environment, match_order.product_id, match_order.user_id,
            match_order.created_at, match_charge.bundle_id, match_charge.environment, match_charge.product_id,
            match_charge.owner, match_charge.purchased_at, match_charge.is_renewal, :'late'::interval
        )
    end,
    match_order.created_at,
    match_charge.purchased_at
from match_named
inner join match_order on match_order.order_id = match_named.order_id
inner join match_charge on match_charge.charge_id = match_named.charge_id;
