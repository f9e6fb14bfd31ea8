-- purpose: ORDER_NO_TX: an order paid or delivered in Production without a genuine charge after the grace time.
--          RENEWAL_MISSING instead if it renews a known subscription that no other user owns. For an app missing in the
--          settings, unrecognized_value.sql reports the app instead.
-- parameters: grace (interval), apps (text[]): bundle ids of the settings
-- grain:   one finding per open order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
with open_order as (
    select detect_open_order.*
    from detect_open_order
    where detect_open_order.environment = 'Production'
        -- Goods of an order that was delivered and then cancelled are still with the customer.
        and (detect_open_order.status in ('paid', 'delivered') or detect_open_order.was_delivered)
        and detect_open_order.bundle_id = any(:'apps'::text[])
        and not exists (
            select 1 from in_ambiguous_candidates as ambiguous_candidates where ambiguous_candidates.order_id = detect_open_order.order_id
        )
        and not exists (select 1 from detect_allowed_order as allowed where allowed.order_id = detect_open_order.order_id)
),
-- The subscription that an order names by its original id or by its first transaction.
named_chain as materialized (
    select order_id, bundle_id, product_id, user_id, created_at, original_transaction_id
    from open_order
    where original_transaction_id is not null
    union
    select order_id, bundle_id, product_id, user_id, created_at, transaction_id
    from open_order
    where names_charge
),
-- Apple signed the transaction that the order names, but left out its app.
unjudged as materialized (
    select
        evidence.transaction_id, (array_agg(evidence.reason order by english(evidence.reason) collate "C"))[1] as reason
    from (select distinct open_order.transaction_id from open_order where open_order.transaction_id is not null) as named
    inner join judged_evidence as evidence
        on evidence.transaction_id = named.transaction_id
        and evidence.first_verdict <> 'genuine'
    where evidence.verdict = 'pending'
        and '' in (evidence.bundle_id, evidence.environment)
        and coalesce(evidence.reason ->> 'key', '') not in ('word.needs_verify_receipt', 'word.unsigned')
    group by evidence.transaction_id
),
buyer as materialized (
    select distinct open_order.user_id
    from open_order
),
bought as materialized (
    select orders.order_id, orders.app_account_token
    from buyer
    inner join in_orders as orders on orders.user_id = buyer.user_id
),
-- The subscriptions that the users of the orders may own, by a token of any statement or by a match, and those that the
-- orders name.
candidate as materialized (
    select transactions.original_transaction_id
    from (
        select user_tokens.app_account_token
        from buyer
        inner join user_tokens on user_tokens.user_id = buyer.user_id
        union
        select bought.app_account_token
        from bought
    ) as held
    inner join in_transactions as transactions on transactions.app_account_token = held.app_account_token
    union
    select matches.original_transaction_id
    from bought
    inner join in_matches as matches on matches.order_id = bought.order_id
    union
    select named_chain.original_transaction_id
    from named_chain
),
chain_charge as materialized (
    select
        charges.bundle_id, charges.product_id, charges.original_transaction_id, charges.charge_id, charges.purchased_at
    from candidate
    inner join in_charges as charges using (original_transaction_id)
    where charges.type = 'auto_renewable'
        and charges.environment = 'Production'
),
chain_owner as materialized (
    select owners.bundle_id, owners.original_transaction_id, owners.user_id
    from chain_owners(array(select distinct chain_charge.original_transaction_id from chain_charge)) as owners
    where owners.environment = 'Production'
),
chain as (
    select
        chain_charge.bundle_id,
        chain_charge.original_transaction_id,
        array_agg(distinct chain_charge.product_id) as product_ids,
        least(min(chain_charge.purchased_at), min(transactions.original_purchased_at)) as began_at
    from chain_charge
    inner join in_transactions as transactions using (original_transaction_id, charge_id)
    group by chain_charge.bundle_id, chain_charge.original_transaction_id
),
-- Materialized, so that the planner does not pair the orders with all chains of their app before it tests the owner.
owned_chain as materialized (
    select chain_owner.user_id, chain.bundle_id, chain.product_ids, chain.began_at
    from chain_owner
    inner join chain using (original_transaction_id, bundle_id)
),
renewal as (
    select named_chain.order_id
    from named_chain
    inner join chain using (bundle_id, original_transaction_id)
    left join chain_owner using (bundle_id, original_transaction_id)
    -- An order that names a subscription books a renewal of it, even of another product, unless that product is no
    -- subscription.
    where chain.began_at < named_chain.created_at
        and coalesce(chain_owner.user_id = named_chain.user_id, true)
        and not exists (
            select 1
            from products
            where products.bundle_id = named_chain.bundle_id
                and products.product_id = named_chain.product_id
                and products.type <> 'auto_renewable'
        )
    union
    select open_order.order_id
    from open_order
    inner join owned_chain using (user_id, bundle_id)
    where owned_chain.began_at < open_order.created_at
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
        when renewal.order_id is not null then phrase('detail.renewal_booked')
        when open_order.class = 'SANDBOX_IN_PROD' and open_order.is_explicit then phrase('detail.not_production')
        when open_order.class = 'ORDER_NO_TX' then phrase('detail.not_again', 'order', open_order.counterpart)
        when open_order.names_charge then phrase('detail.not_given', 'id', open_order.transaction_id)
        when unjudged.transaction_id is not null
            then phrase('detail.unjudged', jsonb_build_object(
                'id', open_order.transaction_id, 'reason', unjudged.reason
            ))
        when open_order.transaction_id is not null then phrase('detail.no_evidence', 'id', open_order.transaction_id)
        else phrase(
            case when open_order.status in ('paid', 'delivered') then 'detail.nothing_charged' else 'detail.delivered_not_charged' end,
            jsonb_build_object('status', phrase('word.' || open_order.status))
        )
    end
from open_order
left join renewal
    on renewal.order_id = open_order.order_id
    -- The order names the purchase of another order, not a period.
    and (open_order.class = 'ORDER_NO_TX' and open_order.is_explicit) is not true
left join unjudged on unjudged.transaction_id = open_order.transaction_id;
