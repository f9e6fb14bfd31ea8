-- purpose: cells whose units brought two different amounts, as when some customers have paid for more than a year. If the
--          charges whose subscription was first paid at least a year before are as many as the units that brought more, each
--          charge's proceeds are known. Otherwise the cell reports the average.
-- parameters: charges_from, charges_to (timestamptz)
-- grain:   tie_split one row per such cell
create temp table tie_split on commit drop as
with two_share_cell as materialized (
    select
        tie_result.cell_no, tie_result.sku, tie_result.storefront, tie_result.currency, tie_result.price, tie_result.day,
        -- `2.1 x 3, 2.55 x 1`: the greater share is last.
        nullif(split_part(split_part(tie_result.share_counts, ', ', 2), ' x ', 2), '')::bigint as greater_units
    from tie_result
    where tie_result.share_count = 2
        and tie_result.sign = 1
        and tie_result.l1_units = tie_result.l3_units
),
sold as materialized (
    select
        two_share_cell.cell_no, two_share_cell.greater_units, charges.original_transaction_id, charges.bundle_id, charges.quantity,
        charges.purchased_at
    from two_share_cell
    inner join tie_offset on tie_offset.storefront = two_share_cell.storefront
    inner join charges
        on charges.product_id = two_share_cell.sku
        and charges.storefront = two_share_cell.storefront
        and charges.currency = two_share_cell.currency
        and (charges.purchased_at at time zone tie_offset.zone)::date = two_share_cell.day
        and unit_price(charges.price_milliunits, charges.quantity, charges.currency) = two_share_cell.price
    where is_paid_charge(charges.environment, charges.state)
        and charges.purchased_at >= :'charges_from'::timestamptz
        and charges.purchased_at < :'charges_to'::timestamptz
),
first_paid as materialized (
    select chain.original_transaction_id, chain.bundle_id, min(earlier.purchased_at) as purchased_at
    from (select distinct sold.original_transaction_id, sold.bundle_id from sold) as chain
    inner join charges as earlier using (original_transaction_id, bundle_id)
    where earlier.environment = 'Production'
        and earlier.type = 'auto_renewable'
        and earlier.price_milliunits > 0
    group by chain.original_transaction_id, chain.bundle_id
)
select sold.cell_no
from sold
left join first_paid using (original_transaction_id, bundle_id)
group by sold.cell_no, sold.greater_units
having sum(sold.quantity) filter (where first_paid.purchased_at <= sold.purchased_at - interval '1 year') = sold.greater_units;
