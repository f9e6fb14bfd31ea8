-- purpose: Production purchases and refunds of the look-back by the users of interest, each with its user: the matched
--          order's, else the token's owner. Family-shared ones are nobody's purchase. Testers are marked next.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per charge
create temp table rule_sale on commit drop as
-- Orders first: a plan that begins with all charges costs a night of everybody's purchases.
with ordered as materialized (
    select orders.order_id, orders.user_id, orders.device_id, orders.created_at, orders.delivered_at
    from rule_sale_user
    inner join rule_link
        on rule_link.key = rule_sale_user.user_id
        and rule_link.kind = 'user'
        and rule_link.side = 'order'
    inner join orders
        on orders.order_id = rule_link.id
        and orders.user_id = rule_sale_user.user_id
),
owned as (
    select
        ordered.order_id, ordered.user_id, ordered.device_id, ordered.created_at as ordered_at, ordered.delivered_at,
        charges as charge
    from ordered
    inner join claims on claims.order_id = ordered.order_id
    inner join charges
        on charges.original_transaction_id = claims.original_transaction_id
        and charges.charge_id = claims.charge_id
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
                select
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
    (owned.charge).refunded_milliunits,
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
