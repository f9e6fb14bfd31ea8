-- purpose: rung M2: exactly one open order speaks for the charge's token with that product, not created after the purchase;
--          an order of another user than the one whom the token names does not speak for it.
-- parameters: skew, window (intervals); a renewal's order must also be created within the window before it
-- grain:   one candidate per charge
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
with open_order as (
    select match_order.*
    from match_order
    left join match_token_owner on match_token_owner.token = match_order.token
    where match_order.token is not null
        and (match_token_owner.user_id is null or match_token_owner.user_id = match_order.user_id)
        and not exists (select from match_decided where match_decided.order_id = match_order.order_id)
),
open_charge as (
    select match_charge.*
    from match_charge
    where match_charge.token is not null
        and not exists (select from match_decided where match_decided.charge_id = match_charge.charge_id)
),
-- One order precedes a purchase when the first of its token and product does and the second does not: however many
-- orders share a token, nobody pairs them all.
placed_order as (
    select
        open_order.*,
        row_number() over line as place,
        lead(created_at) over line as next_created_at
    from open_order
    window line as (partition by token, product_id, bundle_id, environment order by created_at, order_id)
),
fitting as (
    select
        placed_order.order_id, open_charge.charge_id, open_charge.original_transaction_id, placed_order.created_at,
        open_charge.purchased_at
    from open_charge
    inner join placed_order
        on placed_order.token = open_charge.token
        and placed_order.product_id = open_charge.product_id
        and placed_order.bundle_id = open_charge.bundle_id
        and placed_order.environment = open_charge.environment
        and placed_order.place = 1
        and placed_order.created_at <= open_charge.purchased_at + :'skew'::interval
    where not open_charge.is_renewal
        and coalesce(placed_order.next_created_at > open_charge.purchased_at + :'skew'::interval, true)
    union all
    select
        min(open_order.order_id), open_charge.charge_id, open_charge.original_transaction_id,
        min(open_order.created_at), open_charge.purchased_at
    from open_charge
    inner join open_order
        on open_order.token = open_charge.token
        and open_order.product_id = open_charge.product_id
        and open_order.bundle_id = open_charge.bundle_id
        and open_order.environment = open_charge.environment
        and open_order.created_at <= open_charge.purchased_at + :'skew'::interval
        and open_order.created_at >= open_charge.purchased_at - :'window'::interval
    where open_charge.is_renewal
    group by open_charge.charge_id, open_charge.original_transaction_id, open_charge.purchased_at
    having count(*) = 1
)
select 'M2', order_id, charge_id, original_transaction_id, null, created_at, purchased_at
from fitting
where not exists (
    select
    from match_candidate
    where match_candidate.rung = 'M2'
        and match_candidate.charge_id = fitting.charge_id
        and match_candidate.order_id = fitting.order_id
);
