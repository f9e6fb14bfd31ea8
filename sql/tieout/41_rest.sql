-- purpose: cells whose sides differ, with the units on each side that have no cause yet. Steps reduce them. Our cell is
--          settled once every report up to the horizon that could contain it was read.
-- grain:   tie_rest one row per cell that is not proved; partial_left are those of l1_left that are partial refunds
create temp table tie_rest on commit drop as
with region as materialized (
    select
        tie_file.fiscal_period, tie_file.period_no,
        case finance_files.report when 'FINANCE_DETAIL' then 'ZZ' else finance_files.region end as region
    from tie_file
    inner join finance_files on finance_files.file_sha256 = tie_file.file_sha256
    where tie_file.source = 'FINANCIAL'
),
-- Countries whose region has no FINANCIAL file, where these are read by region, and no line in another region's file.
unread as materialized (
    select later.period_no, home.country
    from (
        select region.period_no, region.fiscal_period, array_agg(region.region) as regions
        from region
        group by region.period_no, region.fiscal_period
        having bool_and(region.region not in ('ZZ', ''))
    ) as later
    inner join storefronts as home on home.region <> all(later.regions)
    where not exists (
            select 1
            from tie_l3
            where tie_l3.fiscal_period = later.fiscal_period
                and tie_l3.country = home.country
        )
)
select
    cell_no, product_no, line_no, sku, country, currency, price, sign, day, fiscal_period, period_no,
    l1_units - least(l1_units, l3_units) as l1_left,
    l3_units - least(l1_units, l3_units) as l3_left,
    least(coalesce(partial_units, 0), l1_units - least(l1_units, l3_units)) as partial_left,
    coalesce(extended, 0) as extended,
    cost,
    period_no in (select tie_period.period_no from tie_period where tie_period.is_settled)
    and (period_no, country) not in (
        select unread.period_no - before.periods, unread.country
        from unread
        cross join tie_run
        cross join lateral generate_series(0, tie_run.horizon) as before (periods)
    ) as is_settled
from tie_cell
where l1_units <> l3_units;
