-- purpose: records notifications that Apple's notification history reports as undelivered, whether collected or read
--          from a file.
-- parameters: sha256s, results (text[]): parallel arrays, batch_id (bigint)
-- grain:   one row per notification
insert into missed_notifications (evidence_sha256, last_result, batch_id)
select distinct on (missed.sha256) decode(missed.sha256, 'hex'), missed.result, :'batch_id'::bigint
from unnest(:'sha256s'::text[], :'results'::text[]) as missed (sha256, result)
order by missed.sha256, missed.result
on conflict do nothing;
