-- purpose: the tokens that speak for the orders at hand: an order's own, unless it leads to another user; for an order
--          without one, every token that leads to its user and that an open charge of its product carries.
-- grain:   one row per order and token
insert into match_order_token (order_id, token)
with wanted as (
    select orders.order_id, orders.user_id, orders.app_account_token, orders.product_id, orders.bundle_id
    from (
        select order_id from match_open_order
        union
        select order_id from match_scope_order
    ) as at_hand
    inner join in_orders as orders on orders.order_id = at_hand.order_id
    where not exists (select 1 from match_order_token where match_order_token.order_id = at_hand.order_id)
),
charge_token as (
    select distinct token, product_id, bundle_id
    from match_open_charge
    where token is not null
)
select wanted.order_id, wanted.app_account_token
from wanted
left join match_token_owner on match_token_owner.token = wanted.app_account_token
where wanted.app_account_token is not null
    and (match_token_owner.user_id is null or match_token_owner.user_id = wanted.user_id)
union all
select wanted.order_id, charge_token.token
from charge_token
inner join match_token_owner on match_token_owner.token = charge_token.token
inner join wanted
    on wanted.user_id = match_token_owner.user_id
    and wanted.product_id = charge_token.product_id
    and wanted.bundle_id = charge_token.bundle_id
where match_token_owner.is_held
    and wanted.app_account_token is null;
