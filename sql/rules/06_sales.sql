-- purpose: Production purchases and refunds of the look-back by the users of interest, each with its user: the matched
--          order's, else the token's owner. Family-shared ones are nobody's purchase. Testers are marked next.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per charge
create temp table rule_sale on commit drop as
with owned as (
    select
        rule_sale_order.order_id, rule_sale_order.user_id, rule_sale_order.device_id,
        rule_sale_order.created_at as ordered_at, rule_sale_order.delivered_at, charge
    from rule_sale_order
    -- Looked up one by one, as below.
    cross join lateral (
        select charges as charge
        from matched_orders
        inner join charges
            on charges.original_transaction_id = matched_orders.original_transaction_id
            and charges.charge_id = matched_orders.charge_id
        where matched_orders.order_id = rule_sale_order.order_id
        offset 0
    ) as paid
    union all
    select null, rule_sale_chain.user_id, null, null, null, charge
    from rule_sale_chain
    -- Looked up one by one, however few the planner takes all charges to be.
    cross join lateral (
        select charges as charge
        from charges
        where charges.original_transaction_id = rule_sale_chain.original_transaction_id
            and charges.app_account_token = rule_sale_chain.token
            and not exists (
                select 1
                from matches
                where matches.original_transaction_id = charges.original_transaction_id
                    and matches.charge_id = charges.charge_id
            )
        offset 0
    ) as told
)
select
    (owned.charge).charge_id,
    (owned.charge).original_transaction_id,
    (owned.charge).bundle_id,
    (owned.charge).product_id,
    (owned.charge).type,
    (owned.charge).state,
    (owned.charge).offer_type,
    (owned.charge).storefront,
    (owned.charge).currency,
    (owned.charge).price_milliunits,
    coalesce((owned.charge).refunded_milliunits, 0) as refunded_milliunits,
    (owned.charge).is_renewal,
    (owned.charge).purchased_at,
    (owned.charge).revoked_at,
    owned.order_id,
    owned.device_id,
    owned.ordered_at,
    owned.delivered_at,
    owned.user_id,
    coalesce(rule_person.person, owned.user_id) as person,
    false as is_tester
from owned
left join rule_person on rule_person.user_id = owned.user_id
where (owned.charge).environment = 'Production'
    and (owned.charge).ownership = 'PURCHASED'
    and (owned.charge).purchased_at <= :'as_of'::timestamptz
    and (
        (owned.charge).purchased_at >= :'as_of'::timestamptz - :'lookback'::interval
        or (owned.charge).revoked_at >= :'as_of'::timestamptz - :'lookback'::interval
    );
