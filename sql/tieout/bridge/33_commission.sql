-- purpose: bridge line 33: what lies between price and proceeds besides.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 33,
    '− commission, and tax that no setting tells',
    line.count, line.amount, line.currency, 'report lines', 'export cells'
from tie_run
cross join (
    select currency, null::bigint as count,
        sum(extended) - sum(l3_units * sign * price)
        + coalesce(sum(round(l3_units * sign * price * tax.part / (1 + tax.part), 4)), 0) as amount
    from tie_result
    -- A cell of Apple's alone names no storefront of ours.
    left join (
        select country, min(storefront) as storefront from storefronts group by country
    ) as home on home.country = tie_result.country
    left join lateral (
        select tie_rate.part
        from tie_rate
        where tie_rate.kind = 'tax'
            and tie_rate.storefront in ('', coalesce(tie_result.storefront, home.storefront))
            and tie_rate.day <= tie_result.day
        order by tie_rate.storefront desc, tie_rate.day desc
        limit 1
    ) as tax on true
    where l3_units > 0 and share_currency = currency
    group by currency
) as line;
