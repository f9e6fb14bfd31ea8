-- purpose: everything by which the evidence of a round reaches others: who handed it over, its hash, and that of the text it
--          was posted in. What it claims to be concerns nobody but them.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_key (key, kind, round)
select encode(scope_evidence.sha256, 'hex'), 'evidence', :'round'::integer
from scope_evidence
where scope_evidence.round = :'round'::integer
union all
select encode(evidence_links.parent_sha256, 'hex'), 'evidence', :'round'::integer
from scope_evidence
inner join evidence_links on evidence_links.sha256 = scope_evidence.sha256
where scope_evidence.round = :'round'::integer
    and evidence_links.batch_id is not null
union all
select named.key, named.kind, :'round'::integer
from scope_evidence
inner join uploads on uploads.sha256 = scope_evidence.sha256
cross join lateral (
    values (uploads.user_id, 'user'), (uploads.device_id, 'seen_device'), (uploads.order_id, 'order_id')
) as named (key, kind)
where scope_evidence.round = :'round'::integer
    and named.key <> ''
on conflict do nothing;
