-- purpose: records which text a notification was posted in: an order may carry the hash of that text.
-- parameters: batch_id (bigint)
-- grain:   one row per text that was not known
insert into evidence_links (sha256, parent_sha256, batch_id)
select distinct staged_evidence.sha256, staged_evidence.body_sha256, :'batch_id'::bigint
from staged_evidence
inner join evidence on evidence.sha256 = staged_evidence.sha256
where staged_evidence.body_sha256 is not null
on conflict do nothing;
