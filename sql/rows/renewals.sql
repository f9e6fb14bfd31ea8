-- purpose: the members of plans, charges and forecasts behind each figure of the renewal report: what each adds to it, counts or
--          milliunits.
-- parameters: due_day, bundle_id, product_id, storefront, currency, figure (text: column of the renewals; empty for all of them, - for a
--          cell that is empty); rows/ask.sql says the clock
-- grain:   one row per figure and member, charge or forecast; the values of a figure add up to it
select
    to_char(told.due_day, 'YYYY-MM-DD') as due_day, told.bundle_id, told.product_id,
    coalesce(nullif(told.storefront, ''), '-') as storefront, coalesce(nullif(told.currency, ''), '-') as currency, told.figure,
    told.original_transaction_id, told.charge_id, told.order_id, told.outcome, told.value::text as value
from renewal_rows() as told
where left(told.figure, 1) <> '.'
    and :'due_day'::text in ('', to_char(told.due_day, 'YYYY-MM-DD'))
    and :'bundle_id'::text in ('', told.bundle_id)
    and :'product_id'::text in ('', told.product_id)
    and :'storefront'::text in ('', coalesce(nullif(told.storefront, ''), '-'))
    and :'currency'::text in ('', coalesce(nullif(told.currency, ''), '-'))
    and :'figure'::text in ('', told.figure)
order by
    told.due_day, told.bundle_id collate "C", told.product_id collate "C", told.storefront, told.currency, told.figure,
    abs(told.value) desc, told.original_transaction_id collate "C", told.charge_id collate "C";
