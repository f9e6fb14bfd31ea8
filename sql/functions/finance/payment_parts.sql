-- purpose: Returns lines of Apple's reports for the report's fiscal period, by region and currency in which they were
--          earned. If both reports exist, a vendor with only one of them counts in both, so that neither lacks its money.
-- grain:   one row per effective line and report in which it counts
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
        select file.file_sha256, entry.report
        from file
        cross join (values ('FINANCE_DETAIL'), ('FINANCIAL')) as entry (report)
        where entry.report = file.report
            or exists (select 1 from file as beside where beside.report = entry.report)
            and not exists (
                select 1
                from file as own
                where own.report = entry.report
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
        -- A consolidated file and the files of the regions list the same money.
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

-- Returns rows of the period's payments pages with their region: by its name if known; else by the currency, if one region
-- has it; else by an equal amount; else the printed name. If two vendors are paid in different currencies, or one is not
-- paid yet, each part has a suffix: EU:EUR, EU:CNY, EU:carried, EU:estimated.
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
            entry.region, entry.currency,
            coalesce(
                sum(entry.amount) filter (where entry.report = 'FINANCE_DETAIL'),
                sum(entry.amount) filter (where entry.report = 'FINANCIAL')
            ) as amount
        from payrecon.earned_lines() as entry
        group by entry.region, entry.currency
    ),
    paid as materialized (
        select printed.region as name, printed.currency, sum(printed.earned) as earned
        from printed
        group by printed.region, printed.currency
    ),
    entry as (
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
        entry.region || case
            when min(part.name) over (partition by entry.region, printed.currency)
                <> max(part.name) over (partition by entry.region, printed.currency) then ':' || part.name
            else ''
        end,
        printed.region, printed.currency, printed.file_sha256, printed.line, printed.is_paid, printed.units,
        printed.balance, printed.earned, printed.pre_tax_subtotal, printed.input_tax, printed.adjustments,
        printed.withholding_tax, printed.total_owed, printed.exchange_rate, printed.proceeds, printed.bank_currency, printed.is_estimate
    from printed
    inner join entry on entry.name = printed.region and entry.currency = printed.currency
    cross join lateral (
        select case
            when printed.is_paid then coalesce(printed.bank_currency, 'paid')
            when printed.is_estimate then 'estimated'
            else 'carried'
        end as name
    ) as part
$$;
