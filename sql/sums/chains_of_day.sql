-- purpose: chains that may count on a day in any time zone, UTC-12 to UTC+14: purchased, refunded or re-charged then.
-- parameters: day (text): YYYY-MM-DD
-- grain:   one row per chain
with span as (
    select
        :'day'::text::timestamp at time zone 'UTC' - interval '14 hours' as day_from,
        :'day'::text::timestamp at time zone 'UTC' + interval '36 hours' as day_to
)
insert into sums_chain (chain)
select charges.original_transaction_id
from payrecon.charges
where charges.purchased_at >= (select span.day_from from span)
    and charges.purchased_at < (select span.day_to from span)
union
select charges.original_transaction_id
from payrecon.charges
where charges.revoked_at >= (select span.day_from from span)
    and charges.revoked_at < (select span.day_to from span)
union
select charges.original_transaction_id
from payrecon.charges
where charges.reversed_at >= (select span.day_from from span)
    and charges.reversed_at < (select span.day_to from span);
