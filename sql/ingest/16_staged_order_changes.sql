-- purpose: notes the orders of a chunk of new ones, for the next match run.
-- parameters: none
-- grain:   one row per chunk
insert into changes (batch_id, kind, first_id, ids)
select min(batch_id), 'order', min(order_id), array_agg(order_id)
from staged_order
having count(*) > 0
on conflict (batch_id, kind, first_id) do update
set ids = changes.ids || excluded.ids;
