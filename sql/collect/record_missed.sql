-- purpose: records what Apple's notification history says about notifications that could not be delivered at once, whether
--          collected or read from a file.
-- parameters: sha256s, counts, results (text[]): parallel arrays, batch_id (bigint)
-- grain:   one row per notification and state of its delivery
insert into missed_notifications (evidence_sha256, attempt_count, last_result, batch_id)
select distinct decode(missed.sha256, 'hex'), missed.attempt_count::integer, missed.result, :'batch_id'::bigint
from unnest(:'sha256s'::text[], :'counts'::text[], :'results'::text[]) as missed (sha256, attempt_count, result)
on conflict do nothing;
