-- purpose: queues a chunk's new facts for the next match run.
-- parameters: batch_id (bigint), kind (text), ids (text[]): in ascending order
-- grain:   one row per chunk and kind
insert into changes (batch_id, kind, first_id, ids)
values (:'batch_id'::bigint, :'kind'::text, (:'ids'::text[])[1], :'ids'::text[])
on conflict (batch_id, kind, first_id) do update
set ids = changes.ids || excluded.ids;
