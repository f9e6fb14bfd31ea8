-- purpose: what the measures of daily_rows() come to: from report_sums where it is of the clock that is asked for, else from every
--          charge and order. The summary and the chart of its days both read it.
-- grain:   one row per measure and day, or per measure and charge, order or break: whoever reads it adds them up
create or replace function payrecon.daily_sums() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    at timestamptz, n bigint, amount numeric
)
language sql stable parallel safe
as $$
    select
        sums.measure, sums.part, sums.bundle_id, sums.environment, sums.currency, sums.day = sums.business_day, sums.day,
        sums.business_day, null::timestamptz, sums.n, sums.amount
    from (
        select
            report_sums.*, coalesce(app.business_day, (payrecon.viewed_at() at time zone 'UTC')::date - 1) as business_day
        from payrecon.report_sums
        left join (
            select told.bundle_id, (payrecon.viewed_at() at time zone told.zone)::date - 1 as business_day
            from payrecon.viewed_apps() as told
        ) as app on app.bundle_id = report_sums.bundle_id
    ) as sums
    where (select payrecon.has_report_sums())
    union all
    select
        told.measure, told.part, told.bundle_id, told.environment, told.currency, told.is_day, told.day, told.business_day, told.at,
        told.n, told.amount
    from payrecon.fact_rows() as told
    where not (select payrecon.has_report_sums())
    union all
    select
        told.measure, told.part, told.bundle_id, told.environment, told.currency, told.is_day, told.day, told.business_day, told.at,
        told.n, told.amount
    from payrecon.open_rows() as told
$$;
