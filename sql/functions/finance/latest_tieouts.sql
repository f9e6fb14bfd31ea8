-- purpose: Returns the newest tie-out of each fiscal period at a clock, with the first one and the period's days.
create or replace function payrecon.latest_tieouts(clock timestamptz) returns table (
    fiscal_period text, as_of timestamptz, first_as_of timestamptz, run_id text, first_run_id text, source text,
    files text[], settings_sha256 text, first_settings_sha256 text, starts_on date, ends_on date, calendar_month text
)
language sql stable parallel safe
as $$
    with ranked as (
        select
            tieouts.*,
            row_number() over (partition by tieouts.fiscal_period order by tieouts.as_of desc) as from_last,
            row_number() over (partition by tieouts.fiscal_period order by tieouts.as_of) as from_first
        from payrecon.tieouts
        where tieouts.as_of <= clock
    )
    select
        newest.fiscal_period, newest.as_of, eldest.as_of, newest.run_id, eldest.run_id, newest.source, newest.files,
        newest.settings_sha256, eldest.settings_sha256,
        -- A provisional day covers only itself.
        case when newest.is_provisional then substr(newest.fiscal_period, 2)::date else fiscal_periods.starts_on end,
        case when newest.is_provisional then substr(newest.fiscal_period, 2)::date else fiscal_periods.ends_on end,
        -- P01 is named October.
        to_char(
            make_date(
                fiscal_periods.fiscal_year - case when fiscal_periods.number <= 3 then 1 else 0 end,
                (fiscal_periods.number + 8) % 12 + 1, 1
            ), 'YYYY-MM'
        )
    from ranked as newest
    inner join ranked as eldest on eldest.fiscal_period = newest.fiscal_period and eldest.from_first = 1
    left join payrecon.fiscal_periods on fiscal_periods.fiscal_period = newest.fiscal_period
    where newest.from_last = 1
$$;
