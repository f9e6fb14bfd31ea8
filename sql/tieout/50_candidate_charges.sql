-- purpose: our charges in cells of sales with units left or never collected.
-- parameters: as_of (timestamptz)
-- planner: set local cpu_operator_cost = 0
-- grain:   tie_candidate_charge one row per cell and charge
create temp table tie_candidate_charge on commit drop as
with sold as not materialized (
    select
        near.cell_no, charges.charge_id, charges.original_transaction_id, charges.purchased_at, charges.price_milliunits,
        charges.quantity, charges.currency
    from tie_candidate_day as near
    inner join charges
        on charges.product_id = near.sku
        and charges.bundle_id = near.bundle_id
        and charges.storefront = near.storefront
        and charges.currency = near.currency
        and (charges.purchased_at at time zone 'UTC')::date = near.day
    where near.side = 'charge'
        and is_paid_charge(charges.environment, charges.state)
        and charges.purchased_at <= :'as_of'::timestamptz
    -- Prevents the planner from computing the price of every charge; only found charges are priced.
    offset 0
)
select sold.cell_no, sold.charge_id, sold.original_transaction_id, sold.purchased_at
from sold
inner join tie_candidate_cell as cell on cell.cell_no = sold.cell_no
where (sold.purchased_at at time zone cell.zone)::date between cell.day and cell.last_day
    and unit_price(sold.price_milliunits, sold.quantity, sold.currency) = cell.price;
