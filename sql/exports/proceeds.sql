-- purpose: export of the proceeds of each charge of a proved cell, with their basis. actual: Apple's own figure for its
--          unit. cell_average: the average of a cell whose units brought different, indistinguishable amounts. estimate: by
--          the rates of the settings or of neighbouring cells where Apple stated none. A sale settled in another period has
--          the proceeds of its paired line. If Apple booked it on another day or at another price, these are an estimate.
--          An unsettled charge has an estimate. The bases are never mixed. The cells are those of the export of cells.
-- parameters: as_of (timestamptz)
-- grain:   one row per charge of a proved, explained or open cell of sales. Left out are cells that charges joined or left
--          since the tie-out. Left out are also cells with a part that was never collected or is a duplicate, and cells
--          without an estimate for their unit
with cell as materialized (
    select tieout_cells.*, tieout_offsets.zone
    from latest_tieouts(:'as_of'::timestamptz) as latest
    inner join tieout_cells using (fiscal_period, as_of)
    -- It is unknown which of a cell's charges Apple never collected or are duplicates.
    left join (
        select distinct tieout_parts.fiscal_period, tieout_parts.as_of, tieout_parts.cell_id
        from tieout_parts
        where tieout_parts.cause in ('T2', 'T12')
    ) as lost using (fiscal_period, as_of, cell_id)
    inner join tieout_offsets using (fiscal_period, as_of, storefront)
    where (
            tieout_cells.status = 'proved'
            or tieout_cells.status in ('explained', 'open')
            and tieout_cells.l1_units > 0
            and tieout_cells.unit_share is not null
            and lost.cell_id is null
        )
        and tieout_cells.sign = 1
        and latest.source = 'FINANCE_DETAIL'
)
select
    sold.charge_id, sold.fiscal_period, sold.cell_id, sold.quantity,
    trim_scale(share.unit)::text as unit_proceeds,
    trim_scale(share.unit * sold.quantity)::text as proceeds,
    sold.proceeds_currency as currency,
    case when sold.status in ('proved', 'explained') then sold.share_basis else 'estimate' end as basis,
    sold.settlement_from::text as settlement_from,
    sold.settlement_to::text as settlement_to
from (
    select
        cell.*, charge.charge_id, charge.original_transaction_id, charge.bundle_id as charge_bundle_id, charge.purchased_at,
        charge.quantity, sum(charge.quantity) over (partition by cell.fiscal_period, cell.cell_id) as units_now
    from cell
    inner join paid_charges_by_day() as charge
        on charge.product_id = cell.sku
        and charge.storefront = cell.storefront
        and charge.currency = cell.customer_currency
        and charge.day = cell.transaction_day
        and charge.price = cell.customer_price
        and (charge.purchased_at at time zone cell.zone)::date = cell.transaction_day
) as sold
cross join lateral (
    select case
        -- Two distinct shares, the smaller first: `2.1 x 3, 2.55 x 1`.
        when sold.status <> 'proved' then round(sold.unit_share, 6)
        when sold.share_basis = 'actual' and sold.share_counts like '%,%'
            then split_part(
                split_part(sold.share_counts, ', ', 1 + exists (
                    select 1
                    from charges as earlier
                    where earlier.original_transaction_id = sold.original_transaction_id
                        and earlier.bundle_id = sold.charge_bundle_id
                        and earlier.environment = 'Production'
                        and earlier.type = 'auto_renewable'
                        and earlier.price_milliunits > 0
                        and earlier.purchased_at <= sold.purchased_at - interval '1 year'
                )::integer), ' x ', 1
            )::numeric
        else sold.unit_share
    end as unit
) as share
where sold.units_now = sold.l1_units
order by sold.charge_id collate "C", sold.fiscal_period;
