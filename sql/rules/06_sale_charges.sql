-- purpose: charges of the users of interest: those that their orders were matched with, and those without order that carry a token
--          of theirs. Production purchases and refunds of the look-back, and what the same person bought as long before the first
--          purchase that was refunded (not is_recent): refunds are compared with it. Family-shared ones are nobody's purchase.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per charge
create temp table rule_sale_charge on commit drop as
with held as materialized (
    select
        rule_sale_order.order_id, rule_sale_order.user_id, rule_sale_order.device_id, rule_sale_order.created_at,
        rule_sale_order.delivered_at, matched_orders.original_transaction_id, matched_orders.charge_id
    from rule_sale_order
    inner join matched_orders on matched_orders.order_id = rule_sale_order.order_id
),
told as materialized (
    select rule_sale_chain.user_id, charges.*
    from rule_sale_chain
    inner join charges
        on charges.original_transaction_id = rule_sale_chain.original_transaction_id
        and charges.app_account_token = rule_sale_chain.token
),
taken as materialized (
    select matches.original_transaction_id, matches.charge_id
    from told
    inner join matches
        on matches.original_transaction_id = told.original_transaction_id
        and matches.charge_id = told.charge_id
),
owned as materialized (
    select
        held.order_id, held.user_id, held.device_id, held.created_at as ordered_at, held.delivered_at,
        charges.charge_id, charges.original_transaction_id, charges.bundle_id, charges.product_id, charges.type, charges.state,
        charges.offer_type, charges.storefront, charges.currency, charges.price_milliunits, charges.refunded_milliunits,
        charges.is_renewal, charges.purchased_at, charges.revoked_at, charges.environment, charges.ownership
    from held
    inner join charges
        on charges.original_transaction_id = held.original_transaction_id
        and charges.charge_id = held.charge_id
    union all
    select
        null, told.user_id, null, null, null,
        told.charge_id, told.original_transaction_id, told.bundle_id, told.product_id, told.type, told.state, told.offer_type,
        told.storefront, told.currency, told.price_milliunits, told.refunded_milliunits, told.is_renewal, told.purchased_at,
        told.revoked_at, told.environment, told.ownership
    from told
    where (told.original_transaction_id, told.charge_id) not in (
        select taken.original_transaction_id, taken.charge_id from taken
    )
),
bought as (
    select
        owned.*,
        coalesce(rule_person.person, owned.user_id) as person,
        owned.purchased_at >= :'as_of'::timestamptz - :'lookback'::interval
        or coalesce(owned.revoked_at >= :'as_of'::timestamptz - :'lookback'::interval, false) as is_recent
    from owned
    left join rule_person on rule_person.user_id = owned.user_id
    where owned.environment = 'Production'
        and owned.ownership = 'PURCHASED'
        and owned.purchased_at <= :'as_of'::timestamptz
),
measured as (
    select
        bought.*,
        min(bought.purchased_at) filter (where bought.is_recent and bought.revoked_at is not null) over (partition by bought.person)
        - :'lookback'::interval as compared_from
    from bought
)
select measured.*
from measured
where measured.is_recent
    or measured.purchased_at >= measured.compared_from;
