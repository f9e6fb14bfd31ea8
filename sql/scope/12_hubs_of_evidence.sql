-- purpose: everything by which the evidence of a round reaches others: who handed it over, and its hash. What it
--          claims to be concerns nobody but them.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_hub (key, kind, round)
select link.key, link.kind, :'round'::integer + 1
from scope_evidence
left join sightings on sightings.sha256 = scope_evidence.sha256
cross join lateral (
    values
        (sightings.user_id, 'user'), (sightings.device_id, 'seen_device'), (sightings.order_id, 'order_id'),
        (scope_evidence.sha256, 'evidence')
) as link (key, kind)
where scope_evidence.round = :'round'::integer
    and link.key <> ''
on conflict do nothing;
