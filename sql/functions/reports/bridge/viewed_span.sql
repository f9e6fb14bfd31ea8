-- purpose: Returns the days of the report's fiscal period, and the UTC instants at which it and the calendar month that it is
--          named after begin and end.
-- grain:   one row
create or replace function payrecon.viewed_span() returns table (
    starts_on date, ends_on date, period_from timestamptz, period_to timestamptz, month_from timestamptz, month_to timestamptz
)
language sql stable parallel safe
as $$
    select
        fiscal_periods.starts_on, fiscal_periods.ends_on,
        fiscal_periods.starts_on::timestamp at time zone 'UTC', (fiscal_periods.ends_on + 1)::timestamp at time zone 'UTC',
        month.first_day::timestamp at time zone 'UTC', (month.first_day + interval '1 month')::timestamp at time zone 'UTC'
    from payrecon.fiscal_periods
    cross join lateral (
        select payrecon.month_of_period(fiscal_periods.fiscal_year, fiscal_periods.number) as first_day
    ) as month
    where fiscal_periods.fiscal_period = payrecon.viewed_period()
$$;
