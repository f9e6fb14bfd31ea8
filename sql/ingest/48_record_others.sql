-- purpose: records what lay inside what, renewal infos, notifications, unrecognised values and parked items of fresh evidence.
insert into evidence_links (sha256, parent_sha256)
select distinct staged_evidence.sha256, staged_evidence.parent_sha256
from staged_evidence
inner join fresh_evidence on fresh_evidence.sha256 = staged_evidence.parent_sha256
on conflict do nothing;
insert into renewal_infos
select distinct on (staged_renewal_info.original_transaction_id, staged_renewal_info.evidence_sha256)
    staged_renewal_info.*
from staged_renewal_info
inner join fresh_evidence on fresh_evidence.sha256 = staged_renewal_info.evidence_sha256
order by staged_renewal_info.original_transaction_id, staged_renewal_info.evidence_sha256
on conflict do nothing;
insert into notifications
select distinct on (staged_notification.notification_uuid, staged_notification.evidence_sha256) staged_notification.*
from staged_notification
inner join fresh_evidence on fresh_evidence.sha256 = staged_notification.evidence_sha256
order by staged_notification.notification_uuid, staged_notification.evidence_sha256
on conflict do nothing;
insert into unrecognized_values (sha256, field, value, batch_id)
select distinct on (staged_unrecognized.sha256, staged_unrecognized.field)
    staged_unrecognized.sha256, staged_unrecognized.field, staged_unrecognized.value, evidence.batch_id
from staged_unrecognized
inner join fresh_evidence on fresh_evidence.sha256 = staged_unrecognized.sha256
inner join evidence on evidence.sha256 = staged_unrecognized.sha256
order by staged_unrecognized.sha256, staged_unrecognized.field, staged_unrecognized.value
on conflict do nothing;
