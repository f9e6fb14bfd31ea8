-- purpose: the refunds behind each figure of the refunds by month.
-- parameters: scope, period, currency, figure (text: column of the table; empty for all of them); rows/ask.sql says the clock
-- grain:   one row per figure and charge; the values of a figure add up to it
select
    slice.scope, part.period, told.currency, part.figure, told.charge_id, told.transaction_id, told.order_id, told.bundle_id,
    told.product_id, told.outcome, told.booking, part.value
from refund_rows() as told
cross join lateral (values
    ('calendar', to_char(told.refund_day, 'YYYY-MM'), to_char(told.purchase_day, 'YYYY-MM')),
    ('fiscal', coalesce(told.refund_period, ''), coalesce(told.purchase_period, ''))
) as slice (scope, refund_period, purchase_period)
cross join lateral (values
    (slice.refund_period, 'by_refund_count', 1::bigint),
    (slice.refund_period, 'by_refund_milliunits', told.refunded_milliunits),
    (slice.refund_period, 'other_purchases_milliunits', told.refunded_milliunits),
    (slice.purchase_period, 'other_refunds_milliunits', told.refunded_milliunits),
    (slice.purchase_period, 'by_purchase_count', 1),
    (slice.purchase_period, 'by_purchase_milliunits', told.refunded_milliunits),
    (slice.refund_period, told.booking || '_count', 1)
) as part (period, figure, value)
where told.outcome = 'refunded'
    and (part.figure not in ('other_purchases_milliunits', 'other_refunds_milliunits') or slice.refund_period <> slice.purchase_period)
    and :'scope'::text in ('', slice.scope)
    and :'period'::text in ('', coalesce(nullif(part.period, ''), '-'))
    and :'currency'::text in ('', coalesce(nullif(told.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by slice.scope, part.period collate "C", told.currency collate "C", part.figure, abs(part.value) desc, told.charge_id;
