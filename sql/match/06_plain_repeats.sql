-- purpose: the plain bulk of rung M2 where a user buys one product again and again: orders and charges of one token and
--          product take turns (an order, its charge, the next order, its charge), so the first belongs to the first.
-- parameters: skew (interval); place_max (bigint): rounds that the ladder would take
-- grain:   one decided match per pair
insert into match_plain (order_id, charge_id, original_transaction_id, rung)
with told_order as (
    select
        match_open_order.*,
        match_order_token.token,
        count(*) over (partition by match_open_order.order_id) as token_count
    from match_open_order
    inner join match_order_token on match_order_token.order_id = match_open_order.order_id
),
told_charge as (
    select
        match_open_charge.*,
        exists (select 1 from match_named where match_named.charge_id = match_open_charge.charge_id)
        or exists (select 1 from match_decision where match_decision.charge_id = match_open_charge.charge_id) as is_named
    from match_open_charge
    where match_open_charge.token is not null
),
unclear as (
    select token, product_id, bundle_id, environment
    from told_order
    where is_naming
        or token_count > 1
    union
    select token, product_id, bundle_id, environment
    from told_charge
    where is_named
        or type = 'auto_renewable'
        or ownership <> 'PURCHASED'
),
placed_order as (
    select
        told_order.*,
        row_number() over line as place,
        lead(created_at) over line as next_created_at
    from told_order
    window line as (partition by token, product_id, bundle_id, environment order by created_at, order_id)
),
placed_charge as (
    select
        told_charge.*,
        row_number() over (
            partition by token, product_id, bundle_id, environment order by purchased_at, charge_id
        ) as place
    from told_charge
),
paired as (
    select
        placed_order.order_id,
        placed_charge.charge_id,
        placed_charge.original_transaction_id,
        bool_and(
            placed_order.created_at <= placed_charge.purchased_at + :'skew'::interval
            and coalesce(placed_order.next_created_at > placed_charge.purchased_at + :'skew'::interval, true)
        ) over (
            partition by placed_order.token, placed_order.product_id, placed_order.bundle_id, placed_order.environment
            order by placed_order.place
        ) as is_in_turn
    from placed_order
    inner join placed_charge
        on placed_charge.token = placed_order.token
        and placed_charge.product_id = placed_order.product_id
        and placed_charge.bundle_id = placed_order.bundle_id
        and placed_charge.environment = placed_order.environment
        and placed_charge.place = placed_order.place
    where placed_order.place <= :'place_max'::bigint
        and not exists (
            select 1
            from unclear
            where unclear.token = placed_order.token
                and unclear.product_id = placed_order.product_id
                and unclear.bundle_id = placed_order.bundle_id
                and unclear.environment = placed_order.environment
        )
)
select order_id, charge_id, original_transaction_id, 'M2'
from paired
where is_in_turn;
