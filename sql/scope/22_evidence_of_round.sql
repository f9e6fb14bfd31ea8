-- purpose: the evidence that a round reaches: handed over by a user, on a device or for an order, named by an order, or
--          handed over of a chain.
-- parameters: round (integer)
-- grain:   one row per piece of evidence
insert into scope_evidence (sha256, round)
with named as materialized (
    select decode(scope_key.key, 'hex') as sha256
    from scope_key
    where scope_key.round = :'round'::integer
        and scope_key.kind = 'evidence'
)
select decode(scope_fact.id, 'hex'), :'round'::integer + 1
from scope_fact
where scope_fact.round = :'round'::integer
    and scope_fact.side = 'evidence'
union all
select named.sha256, :'round'::integer + 1
from named
union all
select evidence_links.sha256, :'round'::integer + 1
from named
inner join evidence_links on evidence_links.parent_sha256 = named.sha256
union all
select uploads.sha256, :'round'::integer + 1
from scope_told
inner join uploads on uploads.sha256 = scope_told.sha256
where scope_told.round = :'round'::integer
order by 1
on conflict do nothing;
