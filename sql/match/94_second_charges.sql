-- purpose: charges without order that reach, by explicit claim or by a token that only one order carries, an order
--          which another charge paid.
-- grain:   one row per charge
create temp table match_second on commit drop as
with open_charge as (
    select match_charge.*
    from match_charge
    where not exists (select 1 from match_decided where match_decided.charge_id = match_charge.charge_id)
),
order_token as (
    select match_order.own_token, min(match_order.order_id) as order_id
    from match_order
    where match_order.own_token in (select open_charge.token from open_charge)
        and not exists (select 1 from in_user_tokens as user_tokens where user_tokens.app_account_token = match_order.own_token)
    group by match_order.own_token
    having count(*) = 1
),
reaching as (
    select match_candidate.charge_id, match_candidate.original_transaction_id, match_candidate.order_id
    from match_candidate
    inner join open_charge on open_charge.charge_id = match_candidate.charge_id
    where match_candidate.refusal is null
        and match_candidate.rung in (select rungs.rung from rungs where rungs.is_claim)
    union
    select open_charge.charge_id, open_charge.original_transaction_id, order_token.order_id
    from open_charge
    inner join order_token on order_token.own_token = open_charge.token
    inner join match_order on match_order.order_id = order_token.order_id
    where not open_charge.is_renewal
        -- Two people decided that it did not pay this order.
        and not exists (
            select 1
            from match_decision
            where match_decision.action = 'unmatch'
                and match_decision.order_id = order_token.order_id
                and match_decision.charge_id = open_charge.charge_id
        )
        and open_charge.product_id = match_order.product_id
        and open_charge.bundle_id = match_order.bundle_id
        and open_charge.environment = match_order.environment
        -- A later period of the subscription that the order began does not pay the order again.
        and not exists (
            select 1
            from match_decided
            where match_decided.order_id = order_token.order_id
                and match_decided.original_transaction_id = open_charge.original_transaction_id
                and open_charge.type = 'auto_renewable'
        )
)
select reaching.original_transaction_id, reaching.charge_id, min(reaching.order_id) as order_id
from reaching
inner join match_decided on match_decided.order_id = reaching.order_id
where match_decided.charge_id <> reaching.charge_id
group by reaching.original_transaction_id, reaching.charge_id;
