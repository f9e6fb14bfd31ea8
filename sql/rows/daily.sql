-- purpose: the charges, orders and breaks behind each figure of the daily summary, with their contribution as a count or in
--          milliunits.
-- parameters: scope, bundle_id, environment, currency, figure (text: column of the summary; empty for all, - for an empty
--             cell); rows/set_viewed.sql sets the clock and our apps
-- grain:   one row per figure and charge, order or break; the values of a figure add up to it
with part as (
    select
        scope.name as scope, coalesce(nullif(fact.bundle_id, ''), '-') as bundle_id,
        coalesce(nullif(fact.environment, ''), '-') as environment, coalesce(nullif(fact.currency, ''), '-') as currency,
        figure.figure, fact.charge_id, fact.order_id, fact.break_id,
        figure.sign * case when figure.is_money then fact.amount else fact.n end as value
    from daily_rows() as fact
    inner join daily_figures as figure
        on figure.measure = fact.measure
        and figure.part in ('', coalesce(fact.part, ''))
    cross join (values ('day'), ('to_date')) as scope (name)
    where :'figure'::text in ('', figure.figure)
        -- Restricts the rows early to the measures of the requested figure.
        and (
            :'figure'::text = ''
            or fact.measure = any(array(select wanted.measure from daily_figures as wanted where wanted.figure = :'figure'::text))
        )
        and (scope.name = 'to_date' or coalesce(fact.is_day, true))
),
chosen as materialized (
    select part.*
    from part
    where :'scope'::text in ('', part.scope)
        and :'bundle_id'::text in ('', part.bundle_id)
        and :'environment'::text in ('', part.environment)
        and :'currency'::text in ('', part.currency)
        and part.value <> 0
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
),
chosen_break as materialized (
    select distinct on (break_events.break_id) break_events.break_id, break_events.class
    from (select distinct chosen.break_id from chosen) as named
    inner join break_events on break_events.break_id = named.break_id
    where break_events.as_of <= viewed_at()
    order by break_events.break_id asc, break_events.as_of desc, break_events.attempt desc
)
select
    chosen.scope, chosen.bundle_id, chosen.environment, chosen.currency, chosen.figure, chosen.charge_id,
    charge.transaction_ids[1] as transaction_id, chosen.order_id, chosen.break_id, chosen_break.class,
    coalesce(charge.product_id, ordered.product_id) as product_id, ordered.user_id, rfc3339(charge.purchased_at) as purchased_at,
    rfc3339(ordered.created_at) as ordered_at, charge.price_milliunits as charged_milliunits,
    charge.currency as charged_currency, ordered.price_milliunits as booked_milliunits, ordered.currency as booked_currency,
    chosen.value::text as value
from chosen
left join charge on charge.charge_id = chosen.charge_id
left join ordered on ordered.order_id = chosen.order_id
left join chosen_break on chosen_break.break_id = chosen.break_id
order by
    chosen.scope, chosen.bundle_id collate "C", chosen.environment, chosen.currency, chosen.figure, abs(chosen.value) desc,
    chosen.charge_id collate "C", chosen.order_id collate "C", chosen.break_id collate "C", chosen.value;
