-- purpose: export of what each charge of a proved cell really brought: Apple's own figure for its unit (actual); where units of one cell
--          brought different amounts and nobody can tell which, their average (cell_average); and by the rates of the settings or of
--          neighbouring cells where Apple told none (estimate). The three are never mixed.
-- parameters: as_of (timestamptz)
-- grain:   one row per charge of a cell of sales that is proved
with chosen as (
    select tieouts.fiscal_period, max(tieouts.as_of) as as_of
    from tieouts
    where tieouts.as_of <= :'as_of'::timestamptz
    group by tieouts.fiscal_period
),
cell as (
    select tieout_cells.*, tieout_offsets.offset_hours
    from chosen
    inner join tieout_cells
        on tieout_cells.fiscal_period = chosen.fiscal_period
        and tieout_cells.as_of = chosen.as_of
    inner join tieouts
        on tieouts.fiscal_period = chosen.fiscal_period
        and tieouts.as_of = chosen.as_of
    inner join tieout_offsets
        on tieout_offsets.fiscal_period = chosen.fiscal_period
        and tieout_offsets.as_of = chosen.as_of
        and tieout_offsets.storefront = tieout_cells.storefront
    where tieout_cells.status = 'proved'
        and tieout_cells.sign = 1
        and tieouts.source = 'FINANCE_DETAIL'
)
select
    charges.charge_id,
    cell.fiscal_period,
    cell.cell_id,
    charges.quantity,
    trim_scale(share.unit)::text as unit_proceeds,
    trim_scale(share.unit * charges.quantity)::text as proceeds,
    cell.proceeds_currency as currency,
    cell.share_basis as basis,
    cell.settlement_from::text as settlement_from,
    cell.settlement_to::text as settlement_to
from cell
inner join (
    -- Each charge with the days that it may have for Apple, so that cells find theirs by equal keys.
    select charges.*, ((charges.purchased_at at time zone 'UTC') + days.shift * interval '1 day')::date as day
    from charges
    cross join (values (-1), (0), (1)) as days (shift)
    where charges.environment = 'Production'
        and charges.state in ('charged', 'refunded', 'partly_refunded')
) as charges
    on charges.product_id = cell.sku
    and charges.storefront = cell.storefront
    and charges.currency = cell.customer_currency
    and charges.day = cell.transaction_day
    and unit_price(charges.price_milliunits, charges.quantity, charges.currency) = cell.customer_price
    and ((charges.purchased_at at time zone 'UTC') + cell.offset_hours * interval '1 hour')::date = cell.transaction_day
cross join lateral (
    select case
        -- Two shares that are told apart: `2.1 x 3, 2.55 x 1`, the lesser first.
        when cell.share_basis = 'actual' and cell.share_counts like '%,%'
            then split_part(
                split_part(cell.share_counts, ', ', 1 + exists (
                    select 1
                    from charges as earlier
                    where earlier.original_transaction_id = charges.original_transaction_id
                        and earlier.type = 'auto_renewable'
                        and earlier.price_milliunits > 0
                        and earlier.purchased_at <= charges.purchased_at - interval '1 year'
                )::integer), ' x ', 1
            )::numeric
        else cell.unit_share
    end as unit
) as share
order by charges.charge_id collate "C", cell.fiscal_period;
