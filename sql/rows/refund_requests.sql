-- purpose: the refund requests behind each figure of their movement. A balance has those of every earlier month.
-- parameters: scope, period, currency, figure (text: column of the table; empty for all); rows/set_viewed.sql sets the clock
-- grain:   one row per figure and request; the values of a figure add up to it
-- rules:   functions/reports/refund_request_moves.sql
with move as materialized (select entry.* from refund_request_moves() as entry),
place as (select distinct move.period, move.currency from move)
select
    'calendar' as scope, place.period, place.currency, part.figure, move.charge_id, move.transaction_id, move.bundle_id,
    move.product_id, move.reason, rfc3339(move.asked_at) as asked_at, move.answer, move.decision, part.value
from place
inner join move on move.currency = place.currency and move.period <= place.period
cross join lateral (
    select move.period = place.period as is_own, case when move.is_asked then 1 else -1 end as sign
) as side
cross join lateral (values
    ('opening_count', not side.is_own, side.sign), ('closing_count', true, side.sign),
    ('asked_count', side.is_own and move.is_asked, 1),
    (move.decision || '_count', side.is_own and not move.is_asked, 1),
    ('undecided_count', side.is_own and move.is_asked and move.decision is null, 1),
    (move.answer_figure, side.is_own and move.is_asked, 1)
) as part (figure, is_counted, value)
where part.is_counted
    and :'scope'::text in ('', 'calendar')
    and :'period'::text in ('', place.period)
    and :'currency'::text in ('', coalesce(nullif(place.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
order by place.period, place.currency collate "C", part.figure, move.asked_at, move.charge_id collate "C", move.is_asked desc;
