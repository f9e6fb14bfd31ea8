-- purpose: Return the tie-out of each fiscal period that reports at a clock show, with the first one and the period's days:
--          the newest one, or, by latest_tieouts, the signed one of a closed period.
create or replace function payrecon.newest_tieouts(clock timestamptz) returns table (
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

create or replace function payrecon.latest_tieouts(clock timestamptz) returns table (
    fiscal_period text, as_of timestamptz, first_as_of timestamptz, run_id text, first_run_id text, source text,
    files text[], settings_sha256 text, first_settings_sha256 text, starts_on date, ends_on date, calendar_month text
)
language sql stable parallel safe
as $$
    select
        newest.fiscal_period, coalesce(signed.as_of, newest.as_of), newest.first_as_of, coalesce(signed.run_id, newest.run_id),
        newest.first_run_id, coalesce(signed.source, newest.source), coalesce(signed.files, newest.files),
        coalesce(signed.settings_sha256, newest.settings_sha256), newest.first_settings_sha256, newest.starts_on, newest.ends_on,
        newest.calendar_month
    from payrecon.newest_tieouts(clock) as newest
    left join payrecon.closed_periods_at(clock) as closed on closed.fiscal_period = newest.fiscal_period
    left join payrecon.tieouts as signed
        on signed.fiscal_period = closed.fiscal_period
        and signed.as_of = closed.tied_out_at
$$;
