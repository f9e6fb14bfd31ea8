-- purpose: charges of the users of interest: those matched with their orders, and those without an order that carry their
--          token. Contains Production purchases and refunds of the look-back. For comparison with refunds it also contains
--          the person's earlier purchases, one look-back before the first refunded purchase (not is_recent). Family-shared
--          charges are left out.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per charge
create temp table rule_sale_charge on commit drop as
with matched as materialized (
    select
        rule_sale_order.order_id, rule_sale_order.user_id, rule_sale_order.device_id, rule_sale_order.created_at,
        rule_sale_order.delivered_at, matched_orders.original_transaction_id, matched_orders.charge_id
    from rule_sale_order
    inner join matched_orders on matched_orders.order_id = rule_sale_order.order_id
),
sale as materialized (
    select rule_sale_chain.user_id, charges.*
    from rule_sale_chain
    inner join charges
        on charges.original_transaction_id = rule_sale_chain.original_transaction_id
        and charges.app_account_token = rule_sale_chain.token
),
taken as materialized (
    select matches.original_transaction_id, matches.charge_id
    from sale
    inner join matches using (original_transaction_id, charge_id)
),
owned as materialized (
    select
        matched.order_id, matched.user_id, matched.device_id, matched.created_at as ordered_at, matched.delivered_at,
        charges.charge_id, charges.original_transaction_id, charges.bundle_id, charges.product_id, charges.type, charges.state,
        charges.offer_type, charges.storefront, charges.currency, charges.quantity, charges.price_milliunits,
        charges.refunded_milliunits, charges.is_renewal, charges.purchased_at, charges.revoked_at, charges.environment,
        charges.ownership
    from matched
    inner join charges using (original_transaction_id, charge_id)
    union all
    select
        null, sale.user_id, null, null, null,
        sale.charge_id, sale.original_transaction_id, sale.bundle_id, sale.product_id, sale.type, sale.state, sale.offer_type,
        sale.storefront, sale.currency, sale.quantity, sale.price_milliunits, sale.refunded_milliunits, sale.is_renewal,
        sale.purchased_at, sale.revoked_at, sale.environment, sale.ownership
    from sale
    where (sale.original_transaction_id, sale.charge_id) not in (
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
