-- purpose: the refunds and reversals behind each figure of the movement of refunded money. A balance has those of every earlier
--          period.
-- parameters: scope, period, currency, figure (text: column of the table; empty for all); rows/set_viewed.sql sets the clock
-- grain:   one row per figure and refund or reversal; the values of a figure add up to it
with move as materialized (
    select * from refund_moves() as entry where :'scope'::text in ('', entry.scope)
),
place as (select distinct move.scope, move.period, move.currency from move)
select
    place.scope, place.period, place.currency, part.figure, move.charge_id, charges.transaction_ids[1] as transaction_id,
    charges.bundle_id, charges.product_id, move.is_refund, rfc3339(move.at) as at, part.value
from place
inner join move
    on move.scope = place.scope
    and move.currency = place.currency
    and move.period collate "C" <= place.period collate "C"
inner join charges using (original_transaction_id, charge_id)
cross join lateral (values
    (case when move.is_refund then 'given_count' else 'reversed_count' end, move.period = place.period, 1::bigint),
    (case when move.is_refund then 'given_milliunits' else 'reversed_milliunits' end, move.period = place.period, move.milliunits),
    ('opening_milliunits', move.period <> place.period, case when move.is_refund then move.milliunits else -move.milliunits end),
    ('closing_milliunits', true, case when move.is_refund then move.milliunits else -move.milliunits end)
) as part (figure, is_counted, value)
where part.is_counted
    and part.value <> 0
    and :'period'::text in ('', coalesce(nullif(place.period, ''), '-'))
    and :'currency'::text in ('', coalesce(nullif(place.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
order by
    place.scope, place.period collate "C", place.currency collate "C", part.figure, move.at, move.charge_id collate "C",
    move.is_refund desc;
