-- purpose: the units left in each cell of the period. They may still settle within the horizon, and are unexplained after
--          it. Also units that may have moved at the same price, and the proceeds per unit of ours: Apple's figure from this
--          cell or from the paired cell, else an estimate.
-- grain:   tie_result one row per cell of the period
create temp table tie_result on commit drop as
-- Our units paired with Apple's lines in other cells, and their proceeds.
with paired as (
    select
        tie_part.cell_no, -sum(tie_part.units) as units, -sum(tie_part.units * counter.unit_share) as extended,
        min(counter.unit_share) as least_share, max(counter.unit_share) as greatest_share, max(counter.share_count) as share_count,
        min(counter.share_currency) as share_currency,
        -- With another day or price it is uncertain that it is the same sale.
        bool_or(tie_part.cause in ('T14', 'T18')) as is_likely
    from tie_part
    inner join tie_cell as counter on counter.cell_no = tie_part.counter_no
    where tie_part.units < 0
    group by tie_part.cell_no
    having count(*) = count(counter.unit_share)
        and min(counter.share_currency) = max(counter.share_currency)
),
-- Cells without proceeds from Apple.
lacking as (select line_no, sku, country, currency from tie_cell where unit_share is null or share_currency is null),
line_share as (
    select line_no, abs(sum(extended)) / nullif(sum(l3_units), 0) as share, min(share_currency) as share_currency
    from tie_cell
    where l3_units > 0
        and line_no in (select lacking.line_no from lacking)
    group by line_no
),
-- A product's proceeds as a part of its price, from all of Apple's figures in that storefront.
product_share as (
    select sku, country, currency, min(share_currency) as share_currency, abs(sum(extended)) / nullif(sum(l3_units * price), 0) as part
    from tie_cell
    where l3_units > 0
        and price > 0
        and (sku, country, currency) in (select lacking.sku, lacking.country, lacking.currency from lacking)
    group by sku, country, currency
)
select
    cell_id_of(
        tie_cell.fiscal_period, tie_cell.sku, tie_cell.country, tie_cell.currency, tie_cell.price, tie_cell.sign, tie_cell.day
    ) as cell_id,
    tie_cell.*,
    coalesce(tie_rest.l3_left, 0) - case when tie_rest.is_settled then tie_rest.l1_left else 0 end as unexplained_units,
    case when tie_rest.is_settled then 0 else -coalesce(tie_rest.l1_left, 0) end as open_units,
    case
        when own.paired > 0 then round(
            (own.paired_extended + (tie_cell.l1_units - own.paired) * coalesce(other.share, 0)) / tie_cell.l1_units, 10
        )
        else other.share
    end as expected_share,
    coalesce(
        tie_cell.share_currency, paired.share_currency, line_share.share_currency, product_share.share_currency,
        case when estimate.share is not null then tie_cell.currency end
    ) as expected_currency,
    case
        when own.paired > 0
            and (paired.is_likely or own.paired + least(tie_cell.l1_units, tie_cell.l3_units) < tie_cell.l1_units)
            then 'estimate'
        when own.paired > 0 and (
            paired.share_count > 1
            or paired.least_share < paired.greatest_share
            or own.paired < tie_cell.l1_units and (tie_cell.share_count > 1 or tie_cell.unit_share <> paired.least_share)
        ) then 'cell_average'
        when own.paired > 0 or tie_cell.share_count = 1 then 'actual'
        when tie_cell.unit_share is not null then 'cell_average'
        else 'estimate'
    end as basis
from tie_cell
inner join tie_run on tie_run.fiscal_period = tie_cell.fiscal_period
left join product_share using (sku, country, currency)
left join tie_rest on tie_rest.cell_no = tie_cell.cell_no
left join paired on paired.cell_no = tie_cell.cell_no
left join line_share on line_share.line_no = tie_cell.line_no
cross join lateral (
    -- Needed for few cells: the others have Apple's proceeds per unit.
    select case when tie_cell.unit_share is null and line_share.share is null and product_share.part is null then (
        select round(
            tie_cell.price / (1 + coalesce(max(rate.part) filter (where rate.kind = 'tax'), 0))
            * (1 - max(rate.part) filter (where rate.kind = 'commission')), 4
        )
        from (
            select distinct on (tie_rate.kind) tie_rate.kind, tie_rate.part
            from tie_rate
            where tie_rate.storefront in ('', tie_cell.storefront)
                and tie_rate.day <= tie_cell.day
            order by tie_rate.kind asc, tie_rate.storefront desc, tie_rate.day desc, tie_rate.place desc
        ) as rate
    ) end as share
) as estimate
cross join lateral (
    select coalesce(
        tie_cell.unit_share, round(line_share.share, 10), round(product_share.part * tie_cell.price, 4), estimate.share
    ) as share
) as other
cross join lateral (
    -- A pair counts if its proceeds have the currency of the rest and the rest has an estimate.
    select
        paired.units = tie_cell.l1_units
        or other.share is not null
        and paired.share_currency = coalesce(
            tie_cell.share_currency, line_share.share_currency, product_share.share_currency, tie_cell.currency
        ) as is_usable
) as pair
cross join lateral (
    select
        case when pair.is_usable then paired.units else 0 end as paired,
        case when pair.is_usable then paired.extended else 0 end as paired_extended
) as own;
