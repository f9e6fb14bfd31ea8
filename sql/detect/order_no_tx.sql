-- purpose: ORDER_NO_TX, or RENEWAL_MISSING where the order is a renewal of a known subscription: an order paid or
--          delivered in Production with no genuine charge after the grace time.
-- parameters: grace (interval)
-- grain:   one finding per open order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
with testers_order as (
    select detect_open_order.order_id
    from detect_open_order
    inner join detect_refused_charge as charges on charges.charge_id = detect_open_order.charge_id
    inner join allowed_sandbox
        on allowed_sandbox.bundle_id = detect_open_order.bundle_id
        and allowed_sandbox.user_id in (detect_open_order.user_id, '')
        and charges.purchased_at >= allowed_sandbox.allowed_from
        and charges.purchased_at < allowed_sandbox.allowed_to
    where detect_open_order.class = 'SANDBOX_IN_PROD'
),
open_order as (
    select detect_open_order.*
    from detect_open_order
    where detect_open_order.environment = 'Production'
        and detect_open_order.status in ('paid', 'delivered')
        and not exists (
            select from ambiguous_candidates where ambiguous_candidates.order_id = detect_open_order.order_id
        )
        and not exists (
            select from testers_order where testers_order.order_id = detect_open_order.order_id
        )
),
chain_charge as (
    select
        charges.environment, charges.bundle_id, charges.product_id, charges.original_transaction_id, charges.charge_id,
        charges.purchased_at, charges.app_account_token
    from charges
    where charges.type = 'auto_renewable'
        and charges.environment = 'Production'
        and charges.original_transaction_id in (
            select sold.original_transaction_id
            from charges as sold
            where sold.product_id in (select open_order.product_id from open_order)
            union
            select open_order.original_transaction_id
            from open_order
        )
),
-- The users file says whom a token names, else the orders that carry it.
token_user as (
    select users.app_account_token as token, min(users.user_id) as user_id
    from users
    where users.app_account_token in (select chain_charge.app_account_token from chain_charge)
    group by users.app_account_token
    having min(users.user_id) = max(users.user_id)
    union all
    select orders.app_account_token, min(orders.user_id)
    from orders
    where orders.app_account_token in (select chain_charge.app_account_token from chain_charge)
        and not exists (select from users where users.app_account_token = orders.app_account_token)
    group by orders.app_account_token
    having min(orders.user_id) = max(orders.user_id)
),
-- A chain is the user's whom its tokens name, else whose order the highest rung gave its earliest purchase.
chain_owner as (
    select
        chain_charge.bundle_id,
        chain_charge.original_transaction_id,
        coalesce(
            case when min(token_user.user_id) = max(token_user.user_id) then min(token_user.user_id) end,
            (
                array_agg(orders.user_id order by matches.rung, chain_charge.purchased_at, chain_charge.charge_id)
                filter (where orders.user_id is not null)
            )[1]
        ) as user_id
    from chain_charge
    left join token_user on token_user.token = chain_charge.app_account_token
    left join matches
        on matches.original_transaction_id = chain_charge.original_transaction_id
        and matches.charge_id = chain_charge.charge_id
    left join orders on orders.order_id = matches.order_id
    group by chain_charge.bundle_id, chain_charge.original_transaction_id
),
chain as (
    select
        chain_charge.bundle_id,
        chain_charge.original_transaction_id,
        array_agg(distinct chain_charge.product_id) as product_ids,
        least(min(chain_charge.purchased_at), min(transactions.original_purchased_at)) as began_at
    from chain_charge
    inner join transactions
        on transactions.original_transaction_id = chain_charge.original_transaction_id
        and transactions.charge_id = chain_charge.charge_id
    group by chain_charge.bundle_id, chain_charge.original_transaction_id
),
-- As a table of its own: nobody then pairs the orders with all chains of their app to ask for the owner last.
owned_chain as materialized (
    select chain_owner.user_id, chain.bundle_id, chain.product_ids, chain.began_at
    from chain_owner
    inner join chain
        on chain.original_transaction_id = chain_owner.original_transaction_id
        and chain.bundle_id = chain_owner.bundle_id
    where chain_owner.user_id is not null
),
renewal as (
    select open_order.order_id
    from open_order
    inner join chain
        on chain.bundle_id = open_order.bundle_id
        and chain.original_transaction_id = open_order.original_transaction_id
        and chain.began_at < open_order.created_at
    -- Who names a subscription books a renewal of it, if of another product, unless that is none to subscribe to.
    where not exists (
        select
        from products
        where products.bundle_id = open_order.bundle_id
            and products.product_id = open_order.product_id
            and products.type <> 'auto_renewable'
    )
    union
    select open_order.order_id
    from open_order
    inner join owned_chain
        on owned_chain.user_id = open_order.user_id
        and owned_chain.bundle_id = open_order.bundle_id
        and owned_chain.began_at < open_order.created_at
        and open_order.product_id = any(owned_chain.product_ids)
)
select
    case when renewal.order_id is null then 'ORDER_NO_TX' else 'RENEWAL_MISSING' end,
    'order:' || open_order.order_id,
    open_order.bundle_id,
    open_order.environment,
    open_order.order_id,
    open_order.transaction_id,
    open_order.user_id,
    open_order.price_milliunits,
    open_order.currency,
    open_order.booked_at + :'grace'::interval,
    case
        when renewal.order_id is not null then 'the renewal was booked and Apple charged nothing'
        when open_order.transaction_id is not null
            then 'names transaction ' || open_order.transaction_id || ', for which there is no genuine evidence'
        else 'order is ' || open_order.status || ' and Apple charged nothing'
    end
from open_order
left join renewal on renewal.order_id = open_order.order_id;
