-- purpose: line 32 of the bridge: the included tax at the rates of the settings; no row without a rate.
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, line.section, line.line_no, line.label,
    -sum(round(tie_result.l3_units * tie_result.sign * tie_result.price * tax.part / (1 + tax.part), 4)), tie_result.currency,
    line.source, line.ref
from tie_result
cross join tie_run
inner join bridge_lines as line on line.line_no = 32
-- A cell with only Apple's side has no storefront of ours.
left join (
    select country, min(storefront) as storefront from storefronts group by country
) as home on home.country = tie_result.country
cross join lateral (
    select tie_rate.part
    from tie_rate
    where tie_rate.kind = 'tax'
        and tie_rate.storefront in ('', coalesce(tie_result.storefront, home.storefront))
        and tie_rate.day <= tie_result.day
    order by tie_rate.storefront desc, tie_rate.day desc, tie_rate.place desc
    limit 1
) as tax
where tie_result.l3_units > 0
    and tie_result.share_currency = tie_result.currency
    -- Skips all cells if no tax rate is set.
    and exists (select 1 from tie_rate as spec where spec.kind = 'tax')
group by tie_run.fiscal_period, tie_run.as_of, line.section, line.line_no, line.label, tie_result.currency, line.source, line.ref;
