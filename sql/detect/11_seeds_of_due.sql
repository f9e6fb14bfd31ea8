-- purpose: orders and chains with an instant that the clock has passed.
-- parameters: as_of (timestamptz)
-- grain:   one row per order and chain
with due as (
    select distinct detect_due.kind, detect_due.id
    from detect_due
    where detect_due.due_at <= :'as_of'::timestamptz
),
orders_due as (
    insert into scope_order (order_id, round)
    select due.id, 0
    from due
    where due.kind = 'order'
    on conflict do nothing
)
insert into scope_chain (original_transaction_id, round)
select due.id, 0
from due
where due.kind = 'chain'
on conflict do nothing;
