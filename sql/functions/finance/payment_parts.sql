-- purpose: lines of Apple's reports of the fiscal period that is asked for, by the region and currency in which they were earned. Where
--          both reports are there, a vendor that has one of them alone counts with it in both: neither lacks a vendor's money.
-- grain:   one row per line that counts and report that it counts in
create or replace function payrecon.earned_lines() returns table (
    report text, region text, currency text, file_sha256 text, line bigint, detail text, quantity numeric, amount numeric
)
language sql stable parallel safe
as $$
    with file as materialized (
        select known.*
        from payrecon.finance_files_at(payrecon.viewed_at()) as known
        where known.fiscal_period = payrecon.viewed_period()
            and known.is_current
            and known.report in ('FINANCE_DETAIL', 'FINANCIAL')
    ),
    counted as materialized (
        select file.file_sha256, told.report
        from file
        cross join (values ('FINANCE_DETAIL'), ('FINANCIAL')) as told (report)
        where told.report = file.report
            or exists (select 1 from file as beside where beside.report = told.report)
            and not exists (
                select 1
                from file as own
                where own.report = told.report
                    and payrecon.could_be_same_vendor(own.vendor, file.vendor)
            )
    )
    select
        counted.report, coalesce(finance_lines.region, ''), finance_lines.partner_share_currency, finance_lines.file_sha256,
        finance_lines.line, concat_ws(' ', file.report, finance_lines.sku, finance_lines.country_of_sale, finance_lines.transaction_date),
        finance_lines.quantity, finance_lines.extended_partner_share
    from file
    inner join counted on counted.file_sha256 = file.file_sha256
    inner join payrecon.finance_lines on finance_lines.file_sha256 = file.file_sha256
    where file.report = 'FINANCE_DETAIL'
        -- A consolidated file and those of the regions tell the same money twice.
        or file.report = 'FINANCIAL'
        and (
            file.region <> 'ZZ'
            or not exists (
                select 1
                from file as region_file
                where region_file.report = 'FINANCIAL'
                    and region_file.region = finance_lines.region
                    and payrecon.could_be_same_vendor(region_file.vendor, file.vendor)
            )
        )
$$;

-- Rows of the payments pages of the period, with the region that each is: by its name where that is known; else by the currency, where one
-- region has it; else by the same money; and a region that nobody can tell stays under the name that is printed. Where two vendors are paid
-- in different currencies, or one of them is not paid yet, each part is named after the region: EU:EUR, EU:CNY, EU:carried, EU:estimated.
create or replace function payrecon.paid_lines() returns table (
    region text, name text, currency text, file_sha256 text, line bigint, is_paid boolean, units numeric, balance numeric,
    earned numeric, pre_tax_subtotal numeric, input_tax numeric, adjustments numeric, withholding_tax numeric, total_owed numeric,
    rate_printed numeric, proceeds numeric, bank_currency text, is_estimate boolean
)
language sql stable parallel safe
as $$
    with printed as materialized (
        select payment_lines.*, finance_files.is_estimate
        from payrecon.finance_files_at(payrecon.viewed_at()) as known
        inner join payrecon.finance_files on finance_files.file_sha256 = known.file_sha256
        inner join payrecon.payment_lines on payment_lines.file_sha256 = known.file_sha256
        where known.fiscal_period = payrecon.viewed_period()
            and known.is_current
            and known.report = 'PAYMENTS'
    ),
    earned as materialized (
        select
            told.region, told.currency,
            coalesce(
                sum(told.amount) filter (where told.report = 'FINANCE_DETAIL'),
                sum(told.amount) filter (where told.report = 'FINANCIAL')
            ) as amount
        from payrecon.earned_lines() as told
        group by told.region, told.currency
    ),
    paid as materialized (
        select printed.region as name, printed.currency, sum(printed.earned) as earned
        from printed
        group by printed.region, printed.currency
    ),
    told as (
        select
            paid.name, paid.currency,
            coalesce(
                payment_regions.region,
                case
                    when 1 = (select count(*) from earned where earned.currency = paid.currency)
                        and 1 = (select count(*) from paid as beside where beside.currency = paid.currency)
                        then (select earned.region from earned where earned.currency = paid.currency)
                end,
                (
                    select min(earned.region)
                    from earned
                    where earned.currency = paid.currency
                        and earned.amount = paid.earned
                    having count(*) = 1
                ),
                paid.name
            ) as region
        from paid
        left join payrecon.payment_regions on payment_regions.name = paid.name
    )
    select
        told.region || case
            when min(part.name) over (partition by told.region, printed.currency)
                <> max(part.name) over (partition by told.region, printed.currency) then ':' || part.name
            else ''
        end,
        printed.region, printed.currency, printed.file_sha256, printed.line, printed.is_paid, printed.units,
        printed.balance, printed.earned, printed.pre_tax_subtotal, printed.input_tax, printed.adjustments,
        printed.withholding_tax, printed.total_owed, printed.exchange_rate, printed.proceeds, printed.bank_currency, printed.is_estimate
    from printed
    inner join told on told.name = printed.region and told.currency = printed.currency
    cross join lateral (
        select case
            when printed.is_paid then coalesce(printed.bank_currency, 'paid')
            when printed.is_estimate then 'estimated'
            else 'carried'
        end as name
    ) as part
$$;
