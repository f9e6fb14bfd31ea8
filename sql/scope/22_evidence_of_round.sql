-- purpose: the evidence that a round reaches: handed over by a user, on a device or for an order, named by an order, or
--          handed over of a chain.
-- parameters: round (integer)
-- grain:   one row per piece of evidence
insert into scope_evidence (sha256, round)
select scope_fact.id, :'round'::integer + 1
from scope_fact
where scope_fact.round = :'round'::integer
    and scope_fact.side = 'evidence'
union all
select scope_key.key, :'round'::integer + 1
from scope_key
where scope_key.round = :'round'::integer
    and scope_key.kind = 'evidence'
union all
select evidence_links.sha256, :'round'::integer + 1
from scope_key
inner join evidence_links on evidence_links.parent_sha256 = scope_key.key
where scope_key.round = :'round'::integer
    and scope_key.kind = 'evidence'
union all
select uploads.sha256, :'round'::integer + 1
from scope_told
inner join uploads on uploads.sha256 = scope_told.sha256
where scope_told.round = :'round'::integer
order by 1
on conflict do nothing;
