-- purpose: rungs M6 and M7: what is left, by user, product, quantity and time; across every user seen on the device
--          when only the uploader is known, and the charge does not say itself that it paid the uploader's order again. An
--          order with a token of its own is not meant by a charge that carries another order's.
-- parameters: window, ask_to_buy_window, skew (intervals)
-- grain:   one row per order and charge that would fit
insert into match_heuristic (order_id, charge_id, original_transaction_id, contributions, distance)
with open_charge as (
    select match_charge.*, coalesce(match_charge.chain_owner, match_charge.owner) as known_owner
    from match_charge
    where not match_charge.is_renewal
        and match_charge.ownership = 'PURCHASED'
        and not exists (select 1 from match_decided where match_decided.charge_id = match_charge.charge_id)
),
seen as (
    select coalesce(charge_aliases.charge_id, uploads.charge_id) as charge_id, uploads.user_id, uploads.device_id
    from in_uploads as uploads
    left join charge_aliases on charge_aliases.told_id = uploads.charge_id
    where uploads.charge_id is not null
),
uploader as (
    select distinct open_charge.charge_id, seen.user_id, seen.device_id
    from open_charge
    inner join seen on seen.charge_id = open_charge.charge_id
    where open_charge.known_owner is null
),
device_user as (
    select orders.device_id, orders.user_id
    from in_orders as orders
    where orders.device_id in (select uploader.device_id from uploader)
    union
    select uploads.device_id, uploads.user_id
    from in_uploads as uploads
    where uploads.device_id in (select uploader.device_id from uploader)
        and uploads.device_id <> ''
        and uploads.user_id <> ''
),
charge_user as (
    select charge_id, known_owner as user_id, 'owner' as known_by
    from open_charge
    where known_owner is not null
    union
    select charge_id, user_id, 'uploader'
    from uploader
    where user_id <> ''
    union
    select uploader.charge_id, device_user.user_id, 'device'
    from uploader
    inner join device_user on device_user.device_id = uploader.device_id
    where uploader.device_id <> ''
        and device_user.user_id <> uploader.user_id
        -- A claim that holds and was not granted is on an order that another charge paid.
        and not exists (
            select 1
            from match_candidate
            where match_candidate.charge_id = uploader.charge_id
                and match_candidate.refusal is null
                and match_candidate.rung in (select rungs.rung from rungs where rungs.is_claim)
        )
),
-- Charges whose token was made for one order.
orders_charge as (
    select open_charge.charge_id
    from open_charge
    inner join match_token_order on match_token_order.token = open_charge.token
    where match_token_order.is_one_orders
),
nearest_tie as (
    select charge_id, user_id, min(known_by) as known_by
    from charge_user
    group by charge_id, user_id
),
-- Materialized, so that orders are joined by user and product at once: a product alone has thousands of both.
user_charge as materialized (
    select open_charge.*, nearest_tie.user_id, nearest_tie.known_by
    from open_charge
    inner join nearest_tie on nearest_tie.charge_id = open_charge.charge_id
)
select
    match_order.order_id,
    user_charge.charge_id,
    user_charge.original_transaction_id,
    'user by ' || user_charge.known_by || '; product ' || user_charge.product_id || '; quantity '
        || user_charge.quantity || '; purchased '
        || round(extract(epoch from user_charge.purchased_at - match_order.created_at)) || ' s after the order',
    greatest(user_charge.purchased_at - match_order.created_at, match_order.created_at - user_charge.purchased_at)
from user_charge
inner join match_order
    on match_order.user_id = user_charge.user_id
    and match_order.product_id = user_charge.product_id
    and match_order.bundle_id = user_charge.bundle_id
    and match_order.environment = user_charge.environment
    and match_order.quantity = user_charge.quantity
where match_order.status <> 'cancelled'
    and not exists (select 1 from match_duplicate where match_duplicate.order_id = match_order.order_id)
    and not exists (select 1 from match_refused_order where match_refused_order.order_id = match_order.order_id)
    and not exists (
        select 1
        from match_decision
        where match_decision.action = 'unmatch'
            and match_decision.order_id = match_order.order_id
            and match_decision.charge_id = user_charge.charge_id
    )
    and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id)
    and (
        coalesce(match_order.own_token = user_charge.token, true)
        or not exists (select 1 from orders_charge where orders_charge.charge_id = user_charge.charge_id)
    )
    and is_in_window(
        match_order.created_at, match_order.settled_at, user_charge.purchased_at, :'skew'::interval, :'window'::interval,
        :'ask_to_buy_window'::interval
    );
