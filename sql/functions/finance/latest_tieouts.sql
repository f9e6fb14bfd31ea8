-- purpose: Returns the tie-out of each fiscal period that reports at a clock show, with the first one and the period's days:
--          the signed one of a closed period if as_signed, else the newest one.
create or replace function payrecon.latest_tieouts(clock timestamptz, as_signed boolean default true) returns table (
    fiscal_period text, as_of timestamptz, first_as_of timestamptz, run_id text, first_run_id text, source text,
    files text[], settings_sha256 text, starts_on date, ends_on date, calendar_month text
)
language sql stable parallel safe
as $$
    with latest as (
        select distinct on (tieouts.fiscal_period)
            tieouts.*, first_value(tieouts.as_of) over earlier as first_as_of, first_value(tieouts.run_id) over earlier as first_run_id
        from payrecon.tieouts
        left join payrecon.closed_periods_at(clock) as closed
            on as_signed
            and closed.fiscal_period = tieouts.fiscal_period
            and closed.tied_out_at = tieouts.as_of
        where tieouts.as_of <= clock
        window earlier as (partition by tieouts.fiscal_period order by tieouts.as_of)
        order by tieouts.fiscal_period asc, closed.act_id is null asc, tieouts.as_of desc
    )
    select
        latest.fiscal_period, latest.as_of, latest.first_as_of, latest.run_id, latest.first_run_id, latest.source, latest.files,
        latest.settings_sha256,
        -- A provisional day covers only itself.
        case when latest.is_provisional then substr(latest.fiscal_period, 2)::date else fiscal_periods.starts_on end,
        case when latest.is_provisional then substr(latest.fiscal_period, 2)::date else fiscal_periods.ends_on end,
        to_char(payrecon.month_of_period(fiscal_periods.fiscal_year, fiscal_periods.number), 'YYYY-MM')
    from latest
    left join payrecon.fiscal_periods on fiscal_periods.fiscal_period = latest.fiscal_period
$$;
