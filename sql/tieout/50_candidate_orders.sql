-- purpose: paid orders near cells of sales in which Apple has more units than we do.
-- planner: set local cpu_operator_cost = 0
-- grain:   tie_candidate_order one row per cell and order
create temp table tie_candidate_order on commit drop as
with near as (
    select day.cell_no, orders.order_id, orders.currency, orders.created_at, orders.paid_at, day.currency as their_currency
    from (
        select cell.cell_no, cell.sku, cell.day, cell.currency, place.storefront
        from tie_candidate_day as cell
        -- An order without a storefront may be of any.
        cross join lateral (values (cell.storefront), ('')) as place (storefront)
        where cell.side = 'order'
    ) as day
    inner join orders
        on orders.product_id = day.sku
        and (coalesce(orders.paid_at, orders.created_at) at time zone 'UTC')::date = day.day
        and coalesce(orders.storefront, '') = day.storefront
    where orders.status in ('paid', 'delivered')
        and orders.environment = 'Production'
    union all
    -- A cell in whose country we sold nothing accepts orders of any storefront.
    select day.cell_no, orders.order_id, orders.currency, orders.created_at, orders.paid_at, day.currency
    from tie_candidate_day as day
    inner join orders
        on orders.product_id = day.sku
        and (coalesce(orders.paid_at, orders.created_at) at time zone 'UTC')::date = day.day
    where day.side = 'order'
        and day.storefront is null
        -- Skips the scan of orders if there is no such cell.
        and (select exists (select 1 from tie_candidate_day as placeless where placeless.storefront is null))
        and orders.storefront is not null
        and orders.status in ('paid', 'delivered')
        and orders.environment = 'Production'
)
select near.cell_no, near.order_id, near.created_at, coalesce(near.paid_at, near.created_at) as paid_at
from near
where coalesce(near.currency, near.their_currency) = near.their_currency;
