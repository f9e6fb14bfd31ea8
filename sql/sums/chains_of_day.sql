-- purpose: chains that may count on a day in any time zone: purchased, refunded or re-charged around it.
-- parameters: day (text): YYYY-MM-DD
-- grain:   one row per chain
with span as (
    select
        (:'day'::text::date - 2)::timestamp at time zone 'UTC' as day_from, (:'day'::text::date + 3)::timestamp at time zone 'UTC' as day_to
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
