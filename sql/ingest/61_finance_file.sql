-- purpose: records a finance file under its key: report, vendor, region, fiscal period and trailer totals. The period is the
--          one that contains most of its days; a file without days uses the period in its title or name. Contradictions
--          between its name, days and rows become warnings.
-- parameters: file_sha256, lines_sha256, report, file_name, vendor, region, period, starts_on, ends_on, account (text; '' if
--             not stated), totals, warnings (text[]), row_count, batch_id (bigint), is_estimate (boolean)
-- grain:   one row
with stated as (
    select
        coalesce(
            nullif(:'starts_on'::text, '')::date,
            min(coalesce(start_date, settlement_date, transaction_date, bank_date)::date)
        ) as period_from,
        coalesce(
            nullif(:'ends_on'::text, '')::date,
            max(coalesce(end_date, settlement_date, transaction_date, bank_date)::date)
        ) as period_to,
        array_agg(distinct coalesce(staged_finance.region, storefronts.region))
            filter (where coalesce(staged_finance.region, storefronts.region) is not null and country_of_sale is not null) as regions,
        string_agg(distinct country_of_sale, ', ') filter (
            where storefronts.country is null and country_of_sale not in (select known.storefront from storefronts as known)
        ) as unknown_countries
    from staged_finance
    left join storefronts on storefronts.country = staged_finance.country_of_sale
),
placed as (
    select stated.*, best_period.fiscal_period, best_period.starts_on, best_period.ends_on
    from stated
    left join lateral (
        select fiscal_periods.fiscal_period, fiscal_periods.starts_on, fiscal_periods.ends_on
        from fiscal_periods
        where fiscal_periods.starts_on <= stated.period_to
            and fiscal_periods.ends_on >= stated.period_from
        order by
            least(fiscal_periods.ends_on, stated.period_to) - greatest(fiscal_periods.starts_on, stated.period_from) desc,
            fiscal_periods.starts_on
        limit 1
    ) as best_period on true
),
contradiction as (
    select array_remove(array[
        case when placed.fiscal_period <> nullif(:'period'::text, '') then
            'its name says ' || :'period'::text || ', and its days are of ' || placed.fiscal_period || ', as which it counts'
        end,
        case when placed.period_from < placed.starts_on or placed.period_to > placed.ends_on then
            'its days, ' || placed.period_from || ' to ' || placed.period_to || ', are not all of ' || placed.fiscal_period
            || ', as which it counts'
        end,
        case when :'report'::text = 'FINANCIAL' and not :'region'::text = any(placed.regions)
            and exists (select 1 from storefronts where storefronts.region = :'region'::text) then
            'its name says region ' || :'region'::text || ', as which it counts, and its rows are of '
            || array_to_string(placed.regions, ', ')
        end,
        'no storefront has its Country of Sale ' || placed.unknown_countries
    ], null) as warnings
    from placed
    where :'report'::text in ('FINANCIAL', 'FINANCE_DETAIL')
)
insert into finance_files (
    file_sha256, lines_sha256, report, file_name, vendor, region, fiscal_period, period_from, period_to, row_count, totals, warnings,
    batch_id, account, is_estimate
)
select
    :'file_sha256'::text, :'lines_sha256'::text, :'report'::text, :'file_name'::text, :'vendor'::text,
    case
        when :'report'::text = 'FINANCE_DETAIL' then 'Z1'
        when :'report'::text <> 'FINANCIAL' then ''
        when exists (select 1 from storefronts where storefronts.region = :'region'::text) or :'region'::text = 'ZZ'
            then :'region'::text
        when cardinality(placed.regions) = 1 then placed.regions[1]
        else 'ZZ'
    end,
    case
        when :'report'::text = 'PAYMENTS' then :'period'::text
        when :'report'::text = 'BANK' then null
        else coalesce(placed.fiscal_period, nullif(:'period'::text, ''))
    end,
    placed.period_from, placed.period_to, :'row_count'::bigint, :'totals'::text[],
    :'warnings'::text[] || coalesce((select contradiction.warnings from contradiction), '{}'),
    :'batch_id'::bigint, :'account'::text, :'is_estimate'::boolean
from placed
on conflict do nothing;
