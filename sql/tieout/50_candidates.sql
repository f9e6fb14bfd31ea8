-- purpose: candidates for the units that are left or were never collected: per cell at most twenty charges or orders, the
--          likeliest first, each with its reason.
-- parameters: as_of (timestamptz)
-- planner: set local enable_nestloop = on
-- grain:   tie_candidate one row per cell
create temp table tie_candidate on commit drop as
with own_charge as materialized (
    select cell_charge.cell_no, cell_charge.charge_id, cell_charge.purchased_at, matches.order_id
    from tie_candidate_charge as cell_charge
    inner join matches using (original_transaction_id, charge_id)
),
matched as materialized (
    select matched_orders.order_id, matched_orders.original_transaction_id, matched_orders.charge_id
    from (select distinct near.order_id from tie_candidate_order as near) as named
    inner join matched_orders on matched_orders.order_id = named.order_id
),
charged as materialized (
    select matched.order_id, charges.price_milliunits is not null or charges.state = 'family' as has_price
    from matched
    inner join charges using (original_transaction_id, charge_id)
),
found as (
    -- Our charges missing on Apple's side: without order first, then the latest of the day.
    select
        own_charge.cell_no, own_charge.charge_id as id, 0 as score, own_charge.purchased_at as at,
        concat_ws(', ', 'order ' || own_charge.order_id, 'bought ' || rfc3339(own_charge.purchased_at)) as why
    from own_charge
    union all
    select cell_charge.cell_no, cell_charge.charge_id, 2, cell_charge.purchased_at, 'no order, bought ' || rfc3339(cell_charge.purchased_at)
    from tie_candidate_charge as cell_charge
    where cell_charge.charge_id not in (select own_charge.charge_id from own_charge)
    union all
    -- Our refunds missing on Apple's side.
    select cell.cell_no, charges.charge_id, 0, charges.revoked_at, 'refunded ' || rfc3339(charges.revoked_at)
    from tie_candidate_cell as cell
    inner join charges
        on charges.product_id = cell.sku
        and charges.storefront = cell.storefront
        and charges.currency = cell.currency
        and charges.environment = 'Production'
        and charges.state in ('refunded', 'partly_refunded')
        and charges.revoked_at >= cell.day::timestamp at time zone 'UTC' - interval '1 day'
        and charges.revoked_at < cell.last_day::timestamp at time zone 'UTC' + interval '2 days'
        and (charges.revoked_at at time zone cell.zone)::date
            between cell.day and cell.last_day
    cross join lateral refunded_units(
        charges.price_milliunits, charges.quantity, charges.refunded_milliunits, charges.currency
    ) as back
    where cell.sign = -1
        and (cell.unexplained_units < 0 or cell.open_units <> 0)
        and back.price = cell.price
    union all
    -- Our unrefunded sales up to the return that Apple may have refunded, the latest first. Looks up each cell by product, app
    -- and the possible hours of its day, or all of them in one pass over the charges.
    select cell.cell_no, charges.charge_id, 0, charges.purchased_at, 'kept, bought ' || rfc3339(charges.purchased_at)
    from tie_candidate_cell as cell
    inner join charges
        on charges.product_id = cell.sku
        and charges.bundle_id = any(cell.bundle_ids)
        and charges.purchased_at >= cell.day::timestamp at time zone 'UTC' - interval '90 days'
        and charges.purchased_at < least(
            cell.last_day::timestamp at time zone 'UTC' + interval '2 days', :'as_of'::timestamptz + interval '1 microsecond'
        )
    inner join tie_offset
        on tie_offset.storefront = charges.storefront
        and tie_offset.country = cell.country
    where cell.sign = -1
        and (cell.needs_orders or cell.unexplained_units <> 0)
        and charges.currency = cell.currency
        and charges.environment = 'Production'
        and charges.state = 'charged'
        and (charges.purchased_at at time zone tie_offset.zone)::date <= cell.last_day
        and unit_price(charges.price_milliunits, charges.quantity, charges.currency) = cell.price
    union all
    -- Paid orders without a charge, where Apple sold units without evidence, and those whose evidence states no price, as receipts.
    select
        near.cell_no, 'order ' || near.order_id, 1, near.paid_at,
        case when charged.order_id is null then 'paid and without charge' else 'the charge states no price' end
        || ', ordered ' || rfc3339(near.created_at)
    from tie_candidate_order as near
    left join charged on charged.order_id = near.order_id
    where charged.has_price is not true
),
ranked as (select found.*, row_number() over (partition by cell_no order by score desc, at desc, id) as rank from found)
select cell_no, array_agg(id || ': ' || why order by rank) as candidates
from ranked
where rank <= 20
group by cell_no;
