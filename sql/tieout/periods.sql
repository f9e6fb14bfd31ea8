-- purpose: Apple's fiscal periods, from the first with a report to that of the clock, with bounds and state. running: not
--          over; over: without a report; reported: with a report, not tied out; tied_out; closed.
-- parameters: as_of (timestamptz), horizon (bigint): periods after it in which a sale may settle
-- grain:   one row per fiscal period
with calendar as (
    select
        fiscal_periods.*,
        apple_midnight(starts_on) as starts_at,
        apple_midnight(ends_on + 1) as ends_at
    from fiscal_periods
),
file as materialized (
    select *
    from finance_files_at(:'as_of'::timestamptz) as known
    where known.is_current
        and known.report in ('FINANCIAL', 'FINANCE_DETAIL', 'PAYMENTS')
),
read as (
    select
        fiscal_period, string_agg(distinct report, ' ' order by report) as reports,
        bool_or(report <> 'PAYMENTS') as is_reported
    from file
    group by fiscal_period
),
latest_tieout as (
    select
        latest.fiscal_period, latest.as_of, latest.run_id,
        (select count(*) from file where file.fiscal_period = latest.fiscal_period and file.known_at > latest.as_of) as new_files
    from latest_tieouts(:'as_of'::timestamptz) as latest
),
covered as (
    select
        covered_cells.fiscal_period, sum(units)::bigint as units, sum(proved) as proved, sum(explained) as explained,
        sum(unexplained) as unexplained, sum(open) as open
    from covered_cells
    inner join latest_tieout using (fiscal_period, as_of)
    group by covered_cells.fiscal_period
)
select
    calendar.fiscal_period, calendar.weeks, calendar.starts_on::text as starts_on, calendar.ends_on::text as ends_on,
    rfc3339(calendar.starts_at) as starts_at, rfc3339(calendar.ends_at) as ends_at,
    case
        when calendar.ends_at > :'as_of'::timestamptz then 'running'
        when closed.fiscal_period is not null then 'closed'
        when latest_tieout.fiscal_period is not null then 'tied_out'
        when read.is_reported then 'reported'
        else 'over'
    end as state,
    case when settled.is_settled then 'yes' else 'no' end as is_settled,
    read.reports, rfc3339(latest_tieout.as_of) as tied_out_at, latest_tieout.run_id, latest_tieout.new_files, covered.units,
    share.percent[1]::text as proved_percent,
    share.percent[2]::text as explained_percent,
    share.percent[3]::text as unexplained_percent,
    share.percent[4]::text as not_yet_settled_percent
from calendar
left join read on read.fiscal_period = calendar.fiscal_period
left join latest_tieout on latest_tieout.fiscal_period = calendar.fiscal_period
left join covered on covered.fiscal_period = calendar.fiscal_period
left join closed_periods_at(:'as_of'::timestamptz) as closed on closed.fiscal_period = calendar.fiscal_period
cross join lateral (
    select shares_of(array[covered.proved, covered.explained, covered.unexplained, covered.open]::bigint[])
) as share (percent)
left join settlement_periods(:'as_of'::timestamptz, :'horizon'::bigint) as settled
    on settled.fiscal_period = calendar.fiscal_period
where calendar.starts_at <= :'as_of'::timestamptz
    and calendar.ends_at > least(
        :'as_of'::timestamptz,
        (select min(known.starts_at) from calendar as known inner join read on read.fiscal_period = known.fiscal_period)
    )
order by calendar.starts_on;
