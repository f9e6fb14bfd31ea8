-- purpose: Returns the fiscal periods that were opened by a clock: a tie-out of the period exists, or a report of it by
--          Apple was read. Charges alone open no period.
-- grain:   one row per opened period
create or replace function payrecon.opened_periods_at(clock timestamptz) returns table (
    fiscal_period text, starts_on date, ends_on date
)
language sql stable parallel safe
as $$
    select fiscal_periods.fiscal_period, fiscal_periods.starts_on, fiscal_periods.ends_on
    from payrecon.fiscal_periods
    where exists (
        select 1
        from payrecon.tieouts
        where tieouts.fiscal_period = fiscal_periods.fiscal_period
            and tieouts.as_of <= clock
    )
        or exists (
            select 1
            from payrecon.finance_files
            inner join payrecon.batches on batches.batch_id = finance_files.batch_id
            where finance_files.fiscal_period = fiscal_periods.fiscal_period
                and finance_files.report in ('FINANCIAL', 'FINANCE_DETAIL')
                and batches.known_at <= clock
        )
$$;
