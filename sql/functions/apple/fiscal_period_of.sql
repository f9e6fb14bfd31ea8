-- purpose: Returns Apple's fiscal period of a day; null outside of the calendar.
create or replace function payrecon.fiscal_period_of(day date) returns text
language sql stable parallel safe
as $$
    select case when day <= fiscal_periods.ends_on then fiscal_periods.fiscal_period end
    from payrecon.fiscal_periods
    where fiscal_periods.starts_on <= day
    order by fiscal_periods.starts_on desc
    limit 1
$$;
