-- purpose: the evidence that the keys of a round reach: handed over by a user, on a device or for an order, named by an
--          order, handed over of a chain, or claiming a transaction without being genuine.
-- parameters: round (integer)
-- grain:   one row per piece of evidence
insert into scope_evidence (sha256, round)
select reach_keys.id, :'round'::integer + 1
from scope_hub
inner join reach_keys
    on reach_keys.key = scope_hub.key
    and reach_keys.kind = case scope_hub.kind when 'seen_device' then 'device' else scope_hub.kind end
    and reach_keys.side = 'evidence'
where scope_hub.round = :'round'::integer
    and scope_hub.kind in ('user', 'device', 'seen_device', 'order_id')
union all
select scope_hub.key, :'round'::integer + 1
from scope_hub
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'evidence'
union all
select sightings.sha256, :'round'::integer + 1
from scope_hub
inner join sightings on sightings.sha256 = scope_hub.key
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'chain_evidence'
union all
select evidence.sha256, :'round'::integer + 1
from scope_hub
inner join evidence on evidence.transaction_id = scope_hub.key and evidence.verdict <> 'genuine'
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'transaction_id'
on conflict do nothing;
