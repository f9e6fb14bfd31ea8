-- purpose: extends uploads of a container to the nested items that became genuine.
-- parameters: batch_id (bigint)
-- grain:   one row per such item and upload of its container
insert into uploads (sha256, source, user_id, device_id, order_id, charge_id, batch_id, received_at)
select
    staged_evidence.sha256, delivered.source, delivered.user_id, delivered.device_id, delivered.order_id,
    staged_evidence.charge_id, :'batch_id'::bigint, delivered.received_at
from usable_evidence
inner join staged_evidence using (sha256, item)
inner join uploads as delivered on delivered.sha256 = staged_evidence.top_sha256
where staged_evidence.top_sha256 <> staged_evidence.sha256
on conflict do nothing;
