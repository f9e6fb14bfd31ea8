-- purpose: the last 28 complete local days for the chart: charges with money, orders, and matches. A matched order counts on
--          the day of its charge, from the same rows as in the daily summary.
-- grain:   one row per bundle x day of Production, days without purchases included
with counted as (
    select fact.bundle_id, fact.day, figure.figure, sum(fact.n)::bigint as n
    from day_figures as figure
    inner join daily_sums(array['tx', 'matched', 'order']) as fact
        on fact.measure = figure.measure
        and figure.part in ('', coalesce(fact.part, ''))
    where fact.environment = 'Production'
        and fact.day >= fact.business_day - 27
        and fact.day <= fact.business_day
    group by fact.bundle_id, fact.day, figure.figure
)
select
    app.bundle_id,
    to_char(app.business_day - back.days, 'YYYY-MM-DD') as day,
    coalesce(sum(counted.n) filter (where counted.figure = 'tx_count'), 0)::bigint as tx_count,
    coalesce(sum(counted.n) filter (where counted.figure = 'order_count'), 0)::bigint as order_count,
    coalesce(sum(counted.n) filter (where counted.figure = 'matched_count'), 0)::bigint as matched_count
from viewed_apps() as app
cross join generate_series(27, 0, -1) as back (days)
left join counted on counted.bundle_id = app.bundle_id and counted.day = app.business_day - back.days
group by app.bundle_id, app.business_day, back.days
order by app.bundle_id collate "C", app.business_day - back.days;
