-- purpose: saves the progress of reading a list, in the transaction that stores the evidence read so far.
-- parameters: job, bundle_id, environment, subject, cursor (text), batch_id (bigint), window_from, window_to,
--             collected_to (timestamptz)
-- grain:   one row
insert into collections (job, bundle_id, environment, subject, cursor, batch_id, window_from, window_to, collected_to)
values (
    :'job'::text, :'bundle_id'::text, :'environment'::text, :'subject'::text, :'cursor'::text, :'batch_id'::bigint,
    :'window_from'::timestamptz, :'window_to'::timestamptz, :'collected_to'::timestamptz
)
on conflict (job, bundle_id, environment, subject) do update
set
    cursor = excluded.cursor,
    batch_id = excluded.batch_id,
    window_from = excluded.window_from,
    window_to = excluded.window_to,
    collected_to = excluded.collected_to;
