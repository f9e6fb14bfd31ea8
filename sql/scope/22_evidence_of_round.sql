-- purpose: the evidence that a round reaches: handed over by a user, on a device or for an order, named by an order, or
--          handed over of a chain.
-- parameters: round (integer)
-- grain:   one row per piece of evidence
insert into scope_evidence (sha256, round)
select scope_link.id, :'round'::integer + 1
from scope_link
where scope_link.round = :'round'::integer
    and scope_link.side = 'evidence'
union all
select scope_hub.key, :'round'::integer + 1
from scope_hub
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'evidence'
union all
select evidence_links.sha256, :'round'::integer + 1
from scope_hub
inner join evidence_links on evidence_links.parent_sha256 = scope_hub.key
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'evidence'
union all
select uploads.sha256, :'round'::integer + 1
from scope_hub
inner join uploads on uploads.sha256 = scope_hub.key
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'chain_evidence'
order by 1
on conflict do nothing;
