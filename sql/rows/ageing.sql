-- purpose: the breaks behind each figure of the ageing, with their contribution as a count or in milliunits.
-- parameters: class, currency, figure (text: column of the ageing; empty for all of them, - for a break without money);
--             rows/set_viewed.sql sets the clock
-- grain:   one row per figure and break, or event of a break; the values of a figure add up to it
with chosen as materialized (
    select
        row_number() over () as place, ageing.class, coalesce(nullif(ageing.currency, ''), '-') as currency, named.figure,
        ageing.break_id, ageing.opened_at,
        case when named.is_money then ageing.amount else 1 end as value
    from ageing_rows() as ageing
    inner join ageing_figures as named
        on named.measure = ageing.measure
        and named.bucket in (0, ageing.bucket)
    where :'figure'::text in ('', named.figure)
        -- Restricts the rows early to the measures of the requested figure.
        and (
            :'figure'::text = ''
            or ageing.measure = any(array(select wanted.measure from ageing_figures as wanted where wanted.figure = :'figure'::text))
        )
        and :'class'::text in ('', ageing.class)
        and :'currency'::text in ('', coalesce(nullif(ageing.currency, ''), '-'))
        and case when named.is_money then ageing.amount else 1 end <> 0
),
broken as (
    select distinct on (chosen.place)
        chosen.*, break_events.severity, break_events.bundle_id, break_events.environment, break_events.order_id,
        break_events.charge_id, break_events.transaction_id, break_events.user_id, break_events.detail
    from chosen
    inner join break_events on break_events.break_id = chosen.break_id
    where break_events.as_of <= viewed_at()
    order by chosen.place asc, break_events.as_of desc, break_events.attempt desc
)
select
    broken.class, broken.currency, broken.figure, broken.break_id, broken.severity,
    to_char(broken.opened_at at time zone 'UTC', 'YYYY-MM-DD') as opened_on, broken.bundle_id, broken.environment, broken.order_id,
    broken.charge_id, broken.transaction_id, broken.user_id, broken.detail, broken.value::text as value
from broken
order by broken.class, broken.currency, broken.figure, abs(broken.value) desc, broken.opened_at, broken.break_id collate "C";
