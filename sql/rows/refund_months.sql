-- purpose: the refunds behind each figure of the refunds by month.
-- parameters: scope, period, currency, figure (text: column of the table; empty for all); rows/set_viewed.sql sets the clock
-- grain:   one row per figure and charge; the values of a figure add up to it
select
    slice.scope, part.period, refund.currency, part.figure, refund.charge_id, refund.transaction_id, refund.order_id, refund.bundle_id,
    refund.product_id, refund.outcome, refund.booking, part.value
from refund_rows() as refund
cross join lateral (values
    ('calendar', to_char(refund.refund_day, 'YYYY-MM'), to_char(refund.purchase_day, 'YYYY-MM')),
    ('fiscal', coalesce(refund.refund_period, ''), coalesce(refund.purchase_period, ''))
) as slice (scope, refund_period, purchase_period)
cross join lateral (values
    (slice.refund_period, 'by_refund_count', 1::bigint),
    (slice.refund_period, 'by_refund_milliunits', refund.refunded_milliunits),
    (slice.refund_period, 'other_purchases_milliunits', refund.refunded_milliunits),
    (slice.purchase_period, 'other_refunds_milliunits', refund.refunded_milliunits),
    (slice.purchase_period, 'by_purchase_count', 1),
    (slice.purchase_period, 'by_purchase_milliunits', refund.refunded_milliunits),
    (slice.refund_period, refund.booking || '_count', 1)
) as part (period, figure, value)
where refund.outcome = 'refunded'
    and (part.figure not in ('other_purchases_milliunits', 'other_refunds_milliunits') or slice.refund_period <> slice.purchase_period)
    and :'scope'::text in ('', slice.scope)
    and :'period'::text in ('', coalesce(nullif(part.period, ''), '-'))
    and :'currency'::text in ('', coalesce(nullif(refund.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by slice.scope, part.period collate "C", refund.currency collate "C", part.figure, abs(part.value) desc, refund.charge_id;
