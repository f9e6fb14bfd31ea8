-- purpose: the purchases behind each figure of the refund rates.
-- parameters: bundle_id, product_id, type, purchase_month, currency, figure (text: column of the table; empty for all);
--             rows/set_viewed.sql sets the clock
-- grain:   one row per figure and charge; the values of a figure add up to it
select
    sold.bundle_id, sold.product_id, sold.type, to_char(sold.purchased_on, 'YYYY-MM') as purchase_month, sold.currency, part.figure,
    sold.charge_id, sold.transaction_id, rfc3339(sold.purchased_at) as purchased_at, sold.state, part.value
from rated_charges() as sold
cross join lateral (values
    ('charge_count', 1::bigint), ('refund_count', (sold.state <> 'charged')::integer), ('charged_milliunits', sold.price_milliunits),
    ('refunded_milliunits', sold.refunded_milliunits)
) as part (figure, value)
where part.value <> 0
    and :'bundle_id'::text in ('', sold.bundle_id)
    and :'product_id'::text in ('', sold.product_id)
    and :'type'::text in ('', coalesce(nullif(sold.type, ''), '-'))
    and :'purchase_month'::text in ('', to_char(sold.purchased_on, 'YYYY-MM'))
    and :'currency'::text in ('', coalesce(nullif(sold.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
order by
    sold.bundle_id collate "C", sold.product_id collate "C", sold.type collate "C", to_char(sold.purchased_on, 'YYYY-MM'),
    sold.currency collate "C", part.figure, abs(part.value) desc, sold.charge_id collate "C";
