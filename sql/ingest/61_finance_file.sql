-- purpose: records a file about money by its hash: what it is, of which vendor, region and fiscal period, and what its trailer said.
--          The period is the fiscal one that most of its days lie in; where it names no days, the one in its title or its name.
-- parameters: file_sha256, report, file_name, vendor, region, period, starts_on, ends_on account (text; '' where not told),
--             totals, warnings (text[]), row_count, batch_id (bigint)
-- grain:   one row
with told as (
    select
        coalesce(
            nullif(:'starts_on'::text, '')::date,
            min(coalesce(start_date, settlement_date, transaction_date, bank_date)::date)
        ) as period_from,
        coalesce(
            nullif(:'ends_on'::text, '')::date,
            max(coalesce(end_date, settlement_date, transaction_date, bank_date)::date)
        ) as period_to,
        count(distinct coalesce(staged_finance.region, storefronts.region))
            filter (where country_of_sale is not null) as region_count,
        min(coalesce(staged_finance.region, storefronts.region)) filter (where country_of_sale is not null) as one_region
    from staged_finance
    left join storefronts on storefronts.country = staged_finance.country_of_sale
),
placed as (
    select told.*, lying.fiscal_period
    from told
    left join lateral (
        select fiscal_periods.fiscal_period
        from fiscal_periods
        where fiscal_periods.starts_on <= told.period_to
            and fiscal_periods.ends_on >= told.period_from
        order by
            least(fiscal_periods.ends_on, told.period_to) - greatest(fiscal_periods.starts_on, told.period_from) desc,
            fiscal_periods.starts_on
        limit 1
    ) as lying on true
)
insert into finance_files (
    file_sha256, report, file_name, vendor, region, fiscal_period, period_from, period_to, row_count, totals, warnings,
    batch_id, account
)
select
    :'file_sha256'::text, :'report'::text, :'file_name'::text, :'vendor'::text,
    case
        when :'report'::text = 'FINANCE_DETAIL' then 'Z1'
        when :'report'::text <> 'FINANCIAL' then ''
        when exists (select 1 from storefronts where storefronts.region = :'region'::text) or :'region'::text = 'ZZ'
            then :'region'::text
        when placed.region_count = 1 then placed.one_region
        else 'ZZ'
    end,
    case
        when :'report'::text = 'PAYMENTS' then :'period'::text
        when :'report'::text = 'BANK' then null
        else coalesce(placed.fiscal_period, nullif(:'period'::text, ''))
    end,
    placed.period_from, placed.period_to, :'row_count'::bigint, :'totals'::text[], :'warnings'::text[],
    :'batch_id'::bigint, :'account'::text
from placed
on conflict do nothing;
