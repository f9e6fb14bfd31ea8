-- purpose: what is left of each cell of the period: within the horizon it may settle yet, behind it is not explained; and what may
--          have gone where, at the same price.
-- parameters: none
-- grain:   tie_result one row per cell of the period
create temp table tie_result on commit drop as
-- Apple told no proceeds of these.
with lacking as (
    select line_no, sku, country, currency from tie_cell where unit_share is null or share_currency is null
),
line_share as (
    select line_no, abs(sum(extended)) / nullif(sum(l3_units), 0) as share, min(share_currency) as share_currency
    from tie_cell
    where l3_units > 0
        and line_no in (select lacking.line_no from lacking)
    group by line_no
),
-- A product's part of the price that it brings, wherever Apple told it in that storefront.
product_share as (
    select sku, country, currency, min(share_currency) as share_currency, abs(sum(extended)) / nullif(sum(l3_units * price), 0) as part
    from tie_cell
    where l3_units > 0
        and price > 0
        and (sku, country, currency) in (select lacking.sku, lacking.country, lacking.currency from lacking)
    group by sku, country, currency
)
select
    left(encode(sha256(convert_to(concat_ws(
        '|', tie_cell.fiscal_period, tie_cell.sku, tie_cell.country, tie_cell.currency, tie_cell.price, tie_cell.sign,
        tie_cell.is_partial, tie_cell.day
    ), 'UTF8')), 'hex'), 16) as cell_id,
    tie_cell.*,
    coalesce(tie_rest.l3_left, 0) - case when tie_rest.is_closed then tie_rest.l1_left else 0 end as unexplained_units,
    case when tie_rest.is_closed then 0 else -coalesce(tie_rest.l1_left, 0) end as open_units,
    coalesce(
        tie_cell.unit_share, round(line_share.share, 10), round(product_share.part * tie_cell.price, 4), estimate.share
    ) as expected_share,
    coalesce(
        tie_cell.share_currency, line_share.share_currency, product_share.share_currency,
        case when estimate.share is not null then tie_cell.currency end
    ) as expected_currency,
    case
        when tie_cell.share_count = 1 then 'actual'
        when tie_cell.unit_share is not null then 'cell_average'
        else 'estimate'
    end as basis
from tie_cell
inner join tie_run on tie_run.fiscal_period = tie_cell.fiscal_period
left join tie_rest on tie_rest.cell_no = tie_cell.cell_no
left join line_share on line_share.line_no = tie_cell.line_no
left join product_share
    on product_share.sku = tie_cell.sku
    and product_share.country = tie_cell.country
    and product_share.currency = tie_cell.currency
cross join lateral (
    -- Asked for few cells: of the others Apple told what a unit brings.
    select case when tie_cell.unit_share is null and line_share.share is null and product_share.part is null then round(
        tie_cell.price / (1 + coalesce((
            select tie_rate.part
            from tie_rate
            where tie_rate.kind = 'tax'
                and tie_rate.storefront in ('', tie_cell.storefront)
                and tie_rate.day <= tie_cell.day
            order by tie_rate.storefront desc, tie_rate.day desc, tie_rate.place desc
            limit 1
        ), 0)) * (1 - (
            select tie_rate.part
            from tie_rate
            where tie_rate.kind = 'commission'
                and tie_rate.storefront in ('', tie_cell.storefront)
                and tie_rate.day <= tie_cell.day
            order by tie_rate.storefront desc, tie_rate.day desc, tie_rate.place desc
            limit 1
        )), 4) end as share
) as estimate;
