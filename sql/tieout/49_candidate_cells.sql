-- purpose: cells that get candidates: units are left or were never collected, and money may be at stake. Limited to the
--          greatest differences.
-- grain:   tie_candidate_cell one row per cell, with the apps that sold its product
create temp table tie_candidate_cell on commit drop as
select
    tie_result.*, tie_offset.zone, own.bundle_ids,
    -- A cell of a report without days covers its whole period.
    case tie_period.source when 'FINANCIAL' then tie_period.ends_on else tie_result.day end as last_day,
    exists (
        select 1
        from tie_part
        where tie_part.cell_no = tie_result.cell_no
            and tie_part.cause in ('T1', 'T2', 'T12')
            and tie_part.units < 0
    ) as needs_charges,
    exists (
        select 1 from tie_part where tie_part.cell_no = tie_result.cell_no and tie_part.cause in ('T4', 'T13')
    ) as needs_orders
from tie_result
inner join tie_period on tie_period.fiscal_period = tie_result.fiscal_period
inner join tie_offset
    on tie_offset.storefront = coalesce(
        tie_result.storefront, (select min(storefronts.storefront) from storefronts where storefronts.country = tie_result.country)
    )
left join (select sku, array_agg(distinct bundle_id) as bundle_ids from tie_our_day group by sku) as own on own.sku = tie_result.sku
where tie_result.l1_units <> tie_result.l3_units
    and tie_result.price > 0
-- More would not be reviewed.
order by abs(tie_result.l3_units - tie_result.l1_units) * tie_result.price desc, tie_result.cell_id
limit 5000;
