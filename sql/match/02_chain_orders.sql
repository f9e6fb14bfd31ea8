-- purpose: orders that name nothing but a subscription's first transaction, and were created for a later period, or while the first
--          one is not known: they name the subscription and no period.
-- parameters: window (interval): how long before a renewal its order may be booked
-- grain:   one row per order
-- example: created in May, names the transaction of March, which Apple renewed in April and May
create temp table match_chain_order on commit drop as
with period as (
    select
        orders.order_id,
        orders.created_at,
        orders.transaction_id = any(charges.transaction_ids) as is_first,
        charges.expires_at,
        charges.purchased_at - booking_lead(charges.purchased_at, charges.expires_at, :'window'::interval) as booking_from
    from in_charges as charges
    inner join in_orders as orders
        on orders.transaction_id = charges.original_transaction_id
        and orders.environment = charges.environment
        and orders.bundle_id = charges.bundle_id
    where charges.type = 'auto_renewable'
        and orders.web_order_line_item_id is null
        and coalesce(orders.original_transaction_id, orders.transaction_id) = orders.transaction_id
)
select period.order_id
from period
group by period.order_id, period.created_at
having not bool_or(period.is_first)
    or period.created_at >= least(
        min(period.booking_from) filter (where not period.is_first), min(period.expires_at) filter (where period.is_first)
    );
