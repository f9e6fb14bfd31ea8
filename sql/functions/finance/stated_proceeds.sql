-- purpose: Returns what Apple pays for each charge in a proved cell, from the tie-out that first stated it and again from
--          each one that stated something else.
-- grain:   one row per charge and stated amount
-- rules:   a cell counts if its proceeds have the currency of the price. Charges that became known after the tie-out are
--          listed, too; the caller leaves them out and compares the others with units. greatest_milliunits differs from
--          least_milliunits if the units of the cell brought two known amounts: the greater one belongs to subscriptions that
--          were first paid a year before.
create or replace function payrecon.stated_proceeds() returns table (
    original_transaction_id text, charge_id text, fiscal_period text, cell_id text, as_of timestamptz, quantity integer, units bigint,
    least_milliunits bigint, greatest_milliunits bigint, basis text
)
language sql stable parallel safe
as $$
    with stated as materialized (
        select
            cell.fiscal_period, cell.as_of, cell.cell_id, cell.sku, cell.storefront, cell.customer_currency, cell.customer_price,
            cell.transaction_day, cell.l1_units, cell.unit_share, cell.share_counts, cell.share_basis, tieout_offsets.zone,
            concat_ws('|', trim_scale(cell.unit_share), cell.share_counts, cell.share_basis, cell.l1_units) as content,
            lag(concat_ws('|', trim_scale(cell.unit_share), cell.share_counts, cell.share_basis, cell.l1_units))
                over (partition by cell.fiscal_period, cell.cell_id order by cell.as_of) as content_before
        from payrecon.tieout_cells as cell
        inner join payrecon.tieouts using (fiscal_period, as_of)
        inner join payrecon.tieout_offsets using (fiscal_period, as_of, storefront)
        where tieouts.source = 'FINANCE_DETAIL'
            and cell.as_of <= (select payrecon.viewed_at())
            and cell.status = 'proved'
            and cell.sign = 1
            and cell.unit_share is not null
            and cell.proceeds_currency = cell.customer_currency
    )
    select
        sold.original_transaction_id, sold.charge_id, stated.fiscal_period, stated.cell_id, stated.as_of, sold.quantity, stated.l1_units,
        round(
            case when has.two then split_part(stated.share_counts, ' x ', 1)::numeric else stated.unit_share end * sold.quantity * 1000
        )::bigint,
        round(
            case when has.two then split_part(split_part(stated.share_counts, ', ', 2), ' x ', 1)::numeric else stated.unit_share end
            * sold.quantity * 1000
        )::bigint,
        stated.share_basis
    from stated
    inner join payrecon.paid_charges_by_day() as sold
        on sold.product_id = stated.sku
        and sold.storefront = stated.storefront
        and sold.currency = stated.customer_currency
        and sold.day = stated.transaction_day
        and sold.price = stated.customer_price
        and (sold.purchased_at at time zone stated.zone)::date = stated.transaction_day
    cross join lateral (select stated.share_basis = 'actual' and stated.share_counts like '%,%' as two) as has
    where stated.content is distinct from stated.content_before
$$;
