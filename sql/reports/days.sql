-- purpose: the last 28 complete local days: what Apple charged for money, what we booked, what matched; for the chart. A
--          matched order counts on the day of its charge, as in the daily summary, of which these are the same rows.
-- parameters: none; rows/ask.sql says the clock, and our apps with the zone of each one's business day
-- grain:   one row per bundle x day of Production, days without purchases included
with counted as (
    select told.bundle_id, told.day, figure.figure, sum(told.n)::bigint as n
    from day_figures as figure
    inner join daily_sums() as told
        on told.measure = figure.measure
        and figure.part in ('', coalesce(told.part, ''))
    -- Said again, so that nothing else is looked for.
    where told.measure in ('tx', 'matched', 'order')
        and told.environment = 'Production'
        and told.day >= told.business_day - 27
        and told.day <= told.business_day
    group by told.bundle_id, told.day, figure.figure
),
app as (
    select told.bundle_id, (viewed_at() at time zone told.zone)::date - 1 as business_day from viewed_apps() as told
)
select
    app.bundle_id,
    to_char(app.business_day - back.days, 'YYYY-MM-DD') as day,
    coalesce(sum(counted.n) filter (where counted.figure = 'tx_count'), 0)::bigint as tx_count,
    coalesce(sum(counted.n) filter (where counted.figure = 'order_count'), 0)::bigint as order_count,
    coalesce(sum(counted.n) filter (where counted.figure = 'matched_count'), 0)::bigint as matched_count
from app
cross join generate_series(27, 0, -1) as back (days)
left join counted on counted.bundle_id = app.bundle_id and counted.day = app.business_day - back.days
group by app.bundle_id, app.business_day, back.days
order by app.bundle_id collate "C", app.business_day - back.days;
