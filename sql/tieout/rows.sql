-- purpose: the rows behind a cell: our charges and refunds, and Apple's lines, with what one unit brought and whether that is Apple's own
--          figure.
-- parameters: cell (text), as_of (timestamptz)
-- grain:   one row per charge or line
with chosen as (
    select latest.*
    from latest_tieouts(:'as_of'::timestamptz) as latest
),
cell as (
    select tieout_cells.*, chosen.files, chosen.source, chosen.starts_on, chosen.ends_on, tieout_offsets.offset_hours
    from chosen
    inner join tieout_cells
        on tieout_cells.fiscal_period = chosen.fiscal_period
        and tieout_cells.as_of = chosen.as_of
        and tieout_cells.cell_id = :'cell'::text
    left join tieout_offsets
        on tieout_offsets.fiscal_period = chosen.fiscal_period
        and tieout_offsets.as_of = chosen.as_of
        and tieout_offsets.storefront = tieout_cells.storefront
)
select
    'charge' as side, charges.charge_id as id, charges.transaction_ids[1] as transaction_id, matches.order_id,
    rfc3339(case when cell.sign = 1 then charges.purchased_at else charges.revoked_at end) as at,
    null::text as settlement_date, charges.quantity::text as quantity,
    money_text(charges.price_milliunits, coalesce(charges.currency, '')) as price, trim_scale(cell.unit_share)::text as unit_proceeds,
    cell.proceeds_currency, cell.share_basis as basis, null::text as file_sha256
from cell
inner join charges
    on charges.product_id = cell.sku
    and coalesce(charges.storefront, '') = cell.storefront
    and coalesce(charges.currency, '') = cell.customer_currency
    and charges.environment = 'Production'
    and charges.state in ('charged', 'refunded', 'partly_refunded')
    and charges.purchased_at <= cell.as_of
    and case
        when cell.sign = 1 then round(charges.price_milliunits::numeric / charges.quantity / 1000, 3) = cell.customer_price
        else charges.revoked_at is not null
    end
left join matches
    on matches.original_transaction_id = charges.original_transaction_id
    and matches.charge_id = charges.charge_id
where case
    when cell.source = 'FINANCIAL'
        then ((case when cell.sign = 1 then charges.purchased_at else charges.revoked_at end at time zone 'UTC')
            + coalesce(cell.offset_hours, 0) * interval '1 hour')::date between cell.starts_on and cell.ends_on
    else ((case when cell.sign = 1 then charges.purchased_at else charges.revoked_at end at time zone 'UTC')
        + coalesce(cell.offset_hours, 0) * interval '1 hour')::date = cell.transaction_day
end
union all
select
    'Apple', finance_lines.line::text, null, null, finance_lines.transaction_date::text, finance_lines.settlement_date::text,
    finance_lines.quantity::text, concat_ws(' ', finance_lines.customer_price, finance_lines.customer_currency),
    finance_lines.partner_share::text, finance_lines.partner_share_currency, 'actual', finance_lines.file_sha256
from cell
inner join finance_lines on finance_lines.file_sha256 = any(cell.files)
where coalesce(finance_lines.sku, finance_lines.apple_identifier, '') = cell.sku
    and finance_lines.country_of_sale = cell.country
    and coalesce(finance_lines.customer_currency, '') = cell.customer_currency
    and coalesce(abs(finance_lines.customer_price), 0) = cell.customer_price
    and case when finance_lines.sale_or_return = 'R' or finance_lines.quantity < 0 then -1 else 1 end = cell.sign
    and (cell.source = 'FINANCIAL' or finance_lines.transaction_date = cell.transaction_day)
order by 1 desc, 5, 2;
