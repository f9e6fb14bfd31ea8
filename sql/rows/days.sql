-- purpose: the charges and orders behind each figure of the last 28 days.
-- parameters: bundle_id, day, figure (text: column of the days; empty for all); rows/set_viewed.sql sets the clock and our apps
-- grain:   one row per figure and charge or order; the values of a figure add up to it
with chosen as materialized (
    select fact.bundle_id, to_char(fact.day, 'YYYY-MM-DD') as day, figure.figure, fact.charge_id, fact.order_id, fact.n as value
    from day_figures as figure
    inner join daily_rows() as fact
        on fact.measure = figure.measure
        and figure.part in ('', coalesce(fact.part, ''))
    inner join viewed_apps() as app on app.bundle_id = fact.bundle_id
    -- The figures imply this condition; stated here, it restricts the rows read.
    where fact.measure in ('tx', 'matched', 'order')
        and fact.environment = 'Production'
        and fact.day >= fact.business_day - 27
        and fact.day <= fact.business_day
        and :'figure'::text in ('', figure.figure)
        and :'bundle_id'::text in ('', fact.bundle_id)
        and :'day'::text in ('', to_char(fact.day, 'YYYY-MM-DD'))
),
charge as materialized (
    select charges.*
    from (select distinct chosen.charge_id from chosen) as named
    inner join charges on charges.charge_id = named.charge_id
),
ordered as materialized (
    select orders.*
    from (select distinct chosen.order_id from chosen) as named
    inner join orders on orders.order_id = named.order_id
)
select
    chosen.bundle_id, chosen.day, chosen.figure, chosen.charge_id, charge.transaction_ids[1] as transaction_id, chosen.order_id,
    coalesce(charge.product_id, ordered.product_id) as product_id, ordered.user_id, rfc3339(charge.purchased_at) as purchased_at,
    rfc3339(ordered.created_at) as ordered_at, chosen.value::text as value
from chosen
left join charge on charge.charge_id = chosen.charge_id
left join ordered on ordered.order_id = chosen.order_id
order by chosen.bundle_id collate "C", chosen.day, chosen.figure, chosen.charge_id collate "C", chosen.order_id collate "C";
