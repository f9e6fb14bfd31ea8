-- purpose: queues the orders that this chunk changed for the next match run; state-only changes are queued separately.
-- grain:   one row per chunk and kind
insert into changes (batch_id, kind, first_id, ids)
select min(batch_id), case when is_state then 'order_state' else 'order' end, min(order_id), array_agg(order_id)
from judged_order
where outcome in ('new', 'newer')
group by is_state
on conflict (batch_id, kind, first_id) do update
set ids = changes.ids || excluded.ids;
