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
listed_break as (
    select distinct on (chosen.place)
        chosen.*, break_events.severity, break_events.bundle_id, break_events.environment, break_events.order_id,
        break_events.charge_id, break_events.transaction_id, break_events.user_id, break_events.detail
    from chosen
    inner join break_events on break_events.break_id = chosen.break_id
    where break_events.as_of <= viewed_at()
    order by chosen.place asc, break_events.as_of desc, break_events.attempt desc
)
select
    listed_break.class, listed_break.currency, listed_break.figure, listed_break.break_id, listed_break.severity,
    to_char(listed_break.opened_at at time zone 'UTC', 'YYYY-MM-DD') as opened_on, listed_break.bundle_id,
    listed_break.environment, listed_break.order_id,
    listed_break.charge_id, listed_break.transaction_id, listed_break.user_id, listed_break.detail, listed_break.value::text as value
from listed_break
order by listed_break.class, listed_break.currency, listed_break.figure, abs(listed_break.value) desc,
    listed_break.opened_at, listed_break.break_id collate "C";
