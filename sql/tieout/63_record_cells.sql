-- purpose: stores the cells of the period: both sides, the proceeds per unit with their basis, and the status.
-- grain:   one row per cell
insert into payrecon.tieout_cells (
    fiscal_period, as_of, cell_id, region, transaction_day, settlement_from, settlement_to, apple_identifier, bundle_id, sku,
    country, storefront, customer_currency, customer_price, sign, order_type, l1_units, l3_units, unit_share, share_counts,
    share_basis, proceeds_currency, l1_expected, l3_extended, unexplained_units, open_units, apart, candidates, status
)
select
    tie_result.fiscal_period, tie_run.as_of, tie_result.cell_id, coalesce(tie_result.region, home.region, ''), tie_result.day,
    tie_result.settlement_from, tie_result.settlement_to, tie_result.apple_identifier, tie_result.bundle_id, tie_result.sku,
    tie_result.country, coalesce(tie_result.storefront, home.storefront, tie_result.country), tie_result.currency, tie_result.price,
    tie_result.sign, coalesce(tie_result.order_type, ''), tie_result.l1_units * tie_result.sign,
    tie_result.l3_units * tie_result.sign, tie_result.expected_share, coalesce(tie_result.share_counts, ''),
    case when tie_split.cell_no is not null then 'actual' else tie_result.basis end,
    tie_result.expected_currency, tie_result.expected_share * tie_result.l1_units * tie_result.sign,
    coalesce(tie_result.extended, 0), tie_result.unexplained_units * tie_result.sign, tie_result.open_units * tie_result.sign,
    coalesce(apart.text, ''), coalesce(tie_candidate.candidates, '{}'),
    case
        when tie_run.fiscal_period like 'D%' then 'provisional'
        when tie_result.l1_units = tie_result.l3_units then 'proved'
        when tie_result.unexplained_units <> 0 then 'unexplained'
        when tie_result.open_units <> 0 then 'open'
        when tie_result.cell_no not in (select tie_part.cell_no from tie_part where not tie_part.is_proof) then 'proved'
        else 'explained'
    end
from tie_result
cross join tie_run
left join tie_split on tie_split.cell_no = tie_result.cell_no
left join tie_candidate on tie_candidate.cell_no = tie_result.cell_no
left join (
    select distinct on (country) country, storefront, region from storefronts order by country, storefront
) as home on home.country = tie_result.country
-- Shared and sandbox units often have no currency.
left join (
    select
        counted.sku, counted.country, counted.day,
        string_agg(counted.kind || ' ' || counted.units, ', ' order by counted.kind) as text
    from (
        select tie_our_day.sku, tie_our_day.country, tie_day.cell_day as day, tie_our_day.kind, sum(tie_our_day.units) as units
        from tie_our_day
        inner join tie_day on tie_day.day = tie_our_day.day
        where tie_our_day.kind in ('sandbox', 'family', 'free', 'unpriced')
        group by 1, 2, 3, 4
    ) as counted
    group by 1, 2, 3
) as apart
    on (apart.sku, apart.country, apart.day) = (tie_result.sku, tie_result.country, tie_result.day)
    and tie_result.sign = 1
    -- Late settled units have another cell, whose day belongs to an earlier period.
    and tie_result.day >= tie_run.starts_on
-- In key order, so that the index grows at its end.
order by tie_result.cell_id;
