-- purpose: the chains of some charges, of the charges matched to some orders, and of the charges of some users; and the apps of
--          these orders.
-- parameters: charge_ids, order_ids, users (text[])
-- grain:   one row per chain, app and environment; an empty chain for the app of an order
with meant_order as materialized (
    select fact.id as order_id
    from unnest(:'users'::text[]) as named (user_id)
    cross join lateral facts_of_key(named.user_id, 'user') as fact
    where fact.side = 'order'
    union
    select unnest(:'order_ids'::text[])
),
matched as materialized (
    select matched_orders.charge_id, matched_orders.original_transaction_id
    from meant_order
    inner join matched_orders on matched_orders.order_id = meant_order.order_id
),
token as materialized (
    select user_tokens.app_account_token as token
    from user_tokens
    where user_tokens.user_id = any(:'users'::text[])
),
token_chain as materialized (
    select distinct fact.id as original_transaction_id
    from token
    cross join lateral facts_of_key(token.token, 'token') as fact
    where fact.side = 'chain'
)
select charges.original_transaction_id, charges.bundle_id, charges.environment
from charges
where charges.charge_id = any(:'charge_ids'::text[])
union
select charges.original_transaction_id, charges.bundle_id, charges.environment
from matched
inner join charges using (original_transaction_id, charge_id)
union
select charges.original_transaction_id, charges.bundle_id, charges.environment
from token_chain
inner join charges on charges.original_transaction_id = token_chain.original_transaction_id
where charges.app_account_token in (select token.token from token)
union
select '', orders.bundle_id, orders.environment
from meant_order
inner join orders on orders.order_id = meant_order.order_id;
