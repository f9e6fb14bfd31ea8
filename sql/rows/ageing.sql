-- purpose: the breaks behind each figure of the ageing: what each adds to it, counts or milliunits.
-- parameters: class, currency, figure (text: column of the ageing; empty for all of them, - for a break without money); rows/ask.sql
--          says the clock
-- grain:   one row per figure and break, or step of a break; the values of a figure add up to it
with chosen as materialized (
    select
        told.class, coalesce(nullif(told.currency, ''), '-') as currency, named.figure, told.break_id, told.opened_at,
        case when named.is_money then told.amount else 1 end as value
    from ageing_rows() as told
    inner join ageing_figures as named
        on named.measure = told.measure
        and named.bucket in (0, told.bucket)
    where :'figure'::text in ('', named.figure)
        and :'class'::text in ('', told.class)
        and :'currency'::text in ('', coalesce(nullif(told.currency, ''), '-'))
        and case when named.is_money then told.amount else 1 end <> 0
),
broken as materialized (
    select distinct on (break_events.break_id) break_events.*
    from (select distinct chosen.break_id from chosen) as named
    inner join break_events on break_events.break_id = named.break_id
    where break_events.as_of <= asked_at()
    order by break_events.break_id asc, break_events.as_of desc, break_events.attempt desc
)
select
    chosen.class, chosen.currency, chosen.figure, chosen.break_id, broken.severity,
    to_char(chosen.opened_at at time zone 'UTC', 'YYYY-MM-DD') as opened_on, broken.bundle_id, broken.environment, broken.order_id,
    broken.charge_id, broken.transaction_id, broken.user_id, broken.detail, chosen.value::text as value
from chosen
inner join broken on broken.break_id = chosen.break_id
order by chosen.class, chosen.currency, chosen.figure, abs(chosen.value) desc, chosen.opened_at, chosen.break_id collate "C";
