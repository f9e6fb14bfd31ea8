-- purpose: regions and currencies with sales of a settled period that stay open, because no report of the region was read for
--          the period.
-- grain:   one row; regions is null if there are none
select
    string_agg(
        format('%s in %s (units: %s)', unread.region, unread.currency, unread.units), ', '
        order by unread.region collate "C", unread.currency collate "C"
    ) as regions
from (
    select home.region, coalesce(nullif(tie_result.currency, ''), 'no currency') as currency, sum(abs(tie_result.open_units)) as units
    from tie_result
    inner join tie_period on tie_period.fiscal_period = tie_result.fiscal_period
    inner join (select distinct storefronts.country, storefronts.region from storefronts) as home on home.country = tie_result.country
    where tie_period.is_settled
        and tie_result.open_units <> 0
        and not exists (
            select 1
            from tie_file
            inner join finance_files on finance_files.file_sha256 = tie_file.file_sha256
            where tie_file.fiscal_period = tie_result.fiscal_period
                and finance_files.region = home.region
        )
    group by home.region, coalesce(nullif(tie_result.currency, ''), 'no currency')
) as unread;
