-- purpose: notes the orders that this chunk changed, for the next match run.
-- parameters: none
-- grain:   one row per chunk
insert into changes (batch_id, kind, first_id, ids)
select min(batch_id), 'order', min(order_id), array_agg(order_id)
from judged_order
where outcome in ('new', 'newer')
having count(*) > 0
on conflict (batch_id, kind, first_id) do update
set ids = changes.ids || excluded.ids;
