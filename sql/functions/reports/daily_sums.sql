-- purpose: Returns the sums of measures of daily_rows(): from report_sums if these have the report's clock, else from every
--          charge and order.
-- parameters: measures: measures of fact_rows(); null: all, including those of open_rows()
-- grain:   one row per measure, part and day, or per measure and break; callers aggregate them
create or replace function payrecon.daily_sums(measures text[]) returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    at timestamptz, n bigint, amount numeric
)
language plpgsql stable parallel safe rows 10000
-- A plan for the given measures computes no others.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
    if payrecon.report_sums_clock() = payrecon.viewed_at() then
        return query
        select
            sums.measure, sums.part, sums.bundle_id, sums.environment, sums.currency, sums.day = sums.business_day, sums.day,
            sums.business_day, null::timestamptz, sums.n, sums.amount
        from (
            select
                report_sums.*, coalesce(app.business_day, (payrecon.viewed_at() at time zone 'UTC')::date - 1) as business_day
            from payrecon.report_sums
            left join payrecon.viewed_apps() as app on app.bundle_id = report_sums.bundle_id
        ) as sums
        where measures is null
            or sums.measure = any(measures);
    else
        return query
        select
            entry.measure, entry.part, entry.bundle_id, entry.environment, entry.currency, entry.is_day, entry.day,
            entry.business_day, null::timestamptz, sum(entry.n)::bigint, sum(entry.amount)
        from payrecon.fact_rows() as entry
        where measures is null
            or entry.measure = any(measures)
        group by
            entry.measure, entry.part, entry.bundle_id, entry.environment, entry.currency, entry.is_day, entry.day,
            entry.business_day;
    end if;
    if measures is null then
        return query
        select
            entry.measure, entry.part, entry.bundle_id, entry.environment, entry.currency, entry.is_day, entry.day,
            entry.business_day, entry.at, entry.n, entry.amount::numeric
        from payrecon.open_rows() as entry;
    end if;
end
$$;
