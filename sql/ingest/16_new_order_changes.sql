-- purpose: queues the new orders of a chunk for the next match run.
-- parameters: batch_id (bigint), order_ids (text[]): in ascending order
-- grain:   one row per chunk
insert into changes (batch_id, kind, first_id, ids)
values (:'batch_id'::bigint, 'order', (:'order_ids'::text[])[1], :'order_ids'::text[])
on conflict (batch_id, kind, first_id) do update
set ids = changes.ids || excluded.ids;
