-- purpose: rung M2: exactly one open order speaks for the charge's token with that product, not created after the purchase;
--          an order of another user than the one whom the token names does not speak for it.
-- parameters: skew, window (intervals); a renewal's order must also be created within the window before it
-- grain:   one candidate per charge
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
with fitting as (
    select
        match_order.order_id,
        match_charge.charge_id,
        match_charge.original_transaction_id,
        match_order.created_at,
        match_charge.purchased_at,
        count(*) over (partition by match_charge.charge_id) as order_count
    from match_charge
    inner join match_order
        on match_order.token = match_charge.token
        and match_order.product_id = match_charge.product_id
        and match_order.bundle_id = match_charge.bundle_id
        and match_order.environment = match_charge.environment
        and match_order.created_at <= match_charge.purchased_at + :'skew'::interval
        and (
            not match_charge.is_renewal
            or match_order.created_at >= match_charge.purchased_at - :'window'::interval
        )
    left join match_token_owner on match_token_owner.token = match_charge.token
    where (match_token_owner.user_id is null or match_token_owner.user_id = match_order.user_id)
        and not exists (select from match_decided where match_decided.charge_id = match_charge.charge_id)
        and not exists (select from match_decided where match_decided.order_id = match_order.order_id)
)
select 'M2', order_id, charge_id, original_transaction_id, null, created_at, purchased_at
from fitting
where order_count = 1
    and not exists (
        select
        from match_candidate
        where match_candidate.rung = 'M2'
            and match_candidate.charge_id = fitting.charge_id
            and match_candidate.order_id = fitting.order_id
    );
