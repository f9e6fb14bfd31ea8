-- purpose: Returns effective rows of the payments pages for the report's fiscal period and the previous one, as printed,
--          with the region of a known name. paid_lines identifies more regions, but reads the earned lines. A month that
--          Apple only estimates carries and pays nothing.
-- grain:   one row per row of a payments file
create or replace function payrecon.printed_payments() returns table (
    is_before boolean, vendor text, region text, name text, currency text, file_sha256 text, line bigint, is_paid boolean,
    balance numeric, total_owed numeric, rate_printed numeric, proceeds numeric, bank_currency text
)
language sql stable parallel safe
as $$
    with period as (
        select near.fiscal_period, near.starts_on < requested.starts_on as is_before
        from payrecon.fiscal_periods as requested
        inner join payrecon.fiscal_periods as near on near.starts_on = requested.starts_on or near.ends_on = requested.starts_on - 1
        where requested.fiscal_period = payrecon.viewed_period()
    )
    select
        period.is_before, known.vendor, coalesce(payment_regions.region, payment_lines.region), payment_lines.region,
        payment_lines.currency, payment_lines.file_sha256, payment_lines.line, payment_lines.is_paid, payment_lines.balance,
        payment_lines.total_owed, payment_lines.exchange_rate, payment_lines.proceeds, payment_lines.bank_currency
    from payrecon.finance_files_at(payrecon.viewed_at()) as known
    inner join period on period.fiscal_period = known.fiscal_period
    inner join payrecon.finance_files on finance_files.file_sha256 = known.file_sha256 and not finance_files.is_estimate
    inner join payrecon.payment_lines on payment_lines.file_sha256 = known.file_sha256
    left join payrecon.payment_regions on payment_regions.name = payment_lines.region
    where known.is_current
        and known.report = 'PAYMENTS'
$$;

-- Returns money that the previous period carried forward and money that this period brings forward, if both have a payments
-- file. Compares by vendor if the file names state it, else in total; a vendor whose page was not read yet is left out.
create or replace function payrecon.carried_lines() returns table (
    region text, currency text, vendor text, names text, carried numeric, brought numeric
)
language sql stable parallel safe
as $$
    with printed as materialized (
        select payment.*, case when bool_or(payment.vendor = '') over () then '' else payment.vendor end as of_vendor
        from payrecon.printed_payments() as payment
    )
    select
        printed.region, printed.currency, printed.of_vendor, string_agg(distinct printed.name, ', '),
        coalesce(sum(printed.total_owed) filter (where printed.is_before and not printed.is_paid), 0),
        coalesce(sum(printed.balance) filter (where not printed.is_before), 0)
    from printed
    where exists (select 1 from printed as here where not here.is_before and here.of_vendor = printed.of_vendor)
    group by printed.region, printed.currency, printed.of_vendor
    having sum(printed.total_owed) filter (where printed.is_before and not printed.is_paid) <> 0
$$;
