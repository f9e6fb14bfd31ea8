-- purpose: the plan members, charges and forecasts behind each figure of the renewal report, with their contribution as a
--          count or in milliunits.
-- parameters: due_day, bundle_id, product_id, storefront, currency, figure (text: column of the renewals; empty for all, -
--             for an empty cell); rows/set_viewed.sql sets the clock
-- grain:   one row per figure and member, charge or forecast; the values of a figure add up to it
select
    to_char(renewal.due_day, 'YYYY-MM-DD') as due_day, renewal.bundle_id, renewal.product_id,
    coalesce(nullif(renewal.storefront, ''), '-') as storefront, coalesce(nullif(renewal.currency, ''), '-') as currency, renewal.figure,
    renewal.original_transaction_id, renewal.charge_id, renewal.order_id, renewal.outcome, renewal.value::text as value
from renewal_rows() as renewal
where left(renewal.figure, 1) <> '.'
    and :'due_day'::text in ('', to_char(renewal.due_day, 'YYYY-MM-DD'))
    and :'bundle_id'::text in ('', renewal.bundle_id)
    and :'product_id'::text in ('', renewal.product_id)
    and :'storefront'::text in ('', coalesce(nullif(renewal.storefront, ''), '-'))
    and :'currency'::text in ('', coalesce(nullif(renewal.currency, ''), '-'))
    and :'figure'::text in ('', renewal.figure)
order by
    renewal.due_day, renewal.bundle_id collate "C", renewal.product_id collate "C", renewal.storefront, renewal.currency, renewal.figure,
    abs(renewal.value) desc, renewal.original_transaction_id collate "C", renewal.charge_id collate "C";
