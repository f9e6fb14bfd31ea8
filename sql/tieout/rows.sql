-- purpose: the rows behind cells: our charges and refunds, and Apple's lines, with the proceeds per unit and their basis.
--          Quantities of either side add up to the units of the cell; those of returns are negative.
--          A cell that the signed tie-out of a closed period lacks is that of the newest one.
-- parameters: cells (text[]), as_of (timestamptz)
-- grain:   one row per cell and charge or line
with tieout as (
    select latest.*, side.is_shown
    from (values (true), (false)) as side (is_shown)
    cross join lateral latest_tieouts(:'as_of'::timestamptz, as_signed => side.is_shown) as latest
),
cell as (
    select distinct on (tieout_cells.cell_id)
        tieout_cells.*, tieout.files, tieout.source, tieout.starts_on, tieout.ends_on, tieout_offsets.zone
    from tieout
    inner join tieout_cells using (fiscal_period, as_of)
    left join tieout_offsets using (fiscal_period, as_of, storefront)
    where tieout_cells.cell_id = any(:'cells'::text[])
    order by tieout_cells.cell_id asc, tieout.is_shown desc
),
-- SUBSCRIBER prints only product numbers; other reports map them to SKUs.
numbered as (
    select finance_lines.apple_identifier, min(finance_lines.sku) as sku
    from finance_files_at(:'as_of'::timestamptz) as known
    inner join finance_lines on finance_lines.file_sha256 = known.file_sha256
    where finance_lines.sku is not null
        and finance_lines.apple_identifier in (select cell.apple_identifier from cell where cell.source = 'SUBSCRIBER')
    group by finance_lines.apple_identifier
),
ours as materialized (
    select
        cell.cell_id, charges.charge_id, charges.original_transaction_id, charges.transaction_ids, charges.price_milliunits,
        charges.currency, cell.unit_share, cell.proceeds_currency, cell.share_basis,
        case cell.sign when 1 then charges.purchased_at else charges.revoked_at end as at,
        cell.sign * case cell.sign when 1 then charges.quantity else back.units end as quantity
    from cell
    inner join charges
        on charges.product_id = cell.sku
        and coalesce(charges.storefront, '') = cell.storefront
        and coalesce(charges.currency, '') = cell.customer_currency
    cross join lateral refunded_units(
        charges.price_milliunits, charges.quantity, charges.refunded_milliunits, charges.currency
    ) as back
    cross join lateral (
        select (
            case cell.sign when 1 then charges.purchased_at else charges.revoked_at end at time zone coalesce(cell.zone, 'UTC')
        )::date as day
    ) as own_day
    where is_paid_charge(charges.environment, charges.state)
        and charges.price_milliunits > 0
        and case cell.sign
            when 1 then unit_price(charges.price_milliunits, charges.quantity, charges.currency) = cell.customer_price
                and charges.purchased_at <= cell.as_of
            else charges.state <> 'charged'
                and charges.refunded_milliunits > 0
                and charges.revoked_at <= cell.as_of
                and back.price = cell.customer_price
        end
        -- A cell of late settled sales has only Apple's side; our side is in the period of its day.
        and own_day.day between cell.starts_on and cell.ends_on
        and (cell.source = 'FINANCIAL' or own_day.day = cell.transaction_day)
),
matched as materialized (
    select distinct ours.charge_id, matches.order_id
    from ours
    inner join matches using (original_transaction_id, charge_id)
)
select
    'charge' as side, ours.charge_id as id, ours.transaction_ids[1] as transaction_id, matched.order_id, rfc3339(ours.at) as at,
    null::text as settlement_date, ours.quantity::text as quantity,
    money_text(ours.price_milliunits, coalesce(ours.currency, '')) as price, trim_scale(ours.unit_share)::text as unit_proceeds,
    ours.proceeds_currency, ours.share_basis as basis, null::text as file_sha256, ours.cell_id
from ours
left join matched on matched.charge_id = ours.charge_id
union all
select
    'Apple', finance_lines.line::text, null, null, finance_lines.transaction_date::text, finance_lines.settlement_date::text,
    trim_scale(cell.sign * abs(finance_lines.quantity))::text,
    concat_ws(' ', finance_lines.customer_price, finance_lines.customer_currency),
    finance_lines.partner_share::text, finance_lines.partner_share_currency, 'actual', bytes_of_file(finance_lines.file_sha256),
    cell.cell_id
from cell
inner join finance_lines on finance_lines.file_sha256 = any(cell.files)
left join numbered on numbered.apple_identifier = finance_lines.apple_identifier
where coalesce(finance_lines.sku, numbered.sku, finance_lines.apple_identifier, '') = cell.sku
    and finance_lines.country_of_sale = cell.country
    and coalesce(finance_lines.customer_currency, '') = cell.customer_currency
    and coalesce(abs(finance_lines.customer_price), 0) = cell.customer_price
    and case when finance_lines.sale_or_return = 'R' or finance_lines.quantity < 0 then -1 else 1 end = cell.sign
    and (cell.source = 'FINANCIAL' or finance_lines.transaction_date = cell.transaction_day)
    -- Other products of a report than in-app purchases are no side of a cell; SUBSCRIBER has none.
    and (finance_lines.report = 'SUBSCRIBER' or is_in_app_purchase(finance_lines.product_type))
order by 1 desc, 5, 2;
