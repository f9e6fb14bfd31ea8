-- purpose: records uploads that add information to the evidence row.
-- parameters: batch_id (bigint)
-- grain:   one row per delivery that names a user, device or order, or that is earlier than the known one
insert into uploads (sha256, source, user_id, device_id, order_id, charge_id, batch_id, received_at)
with repeated as materialized (
    select
        staged_evidence.sha256, staged_evidence.item, staged_evidence.source, staged_evidence.user_id,
        staged_evidence.device_id, staged_evidence.order_id, staged_evidence.charge_id, staged_evidence.received_at
    from staged_evidence
    inner join evidence on evidence.sha256 = staged_evidence.sha256
    where not exists (
        select 1
        from fresh_evidence
        where fresh_evidence.sha256 = staged_evidence.sha256
            and fresh_evidence.item = staged_evidence.item
            and not fresh_evidence.is_known
    )
        and (
            (staged_evidence.received_at, staged_evidence.source) < (evidence.received_at, evidence.source)
            -- Apple delivered the notification after we collected it, so it was not missed.
            or (staged_evidence.source = 'notification' and evidence.source <> 'notification')
        )
)
select
    staged_evidence.sha256, staged_evidence.source, staged_evidence.user_id, staged_evidence.device_id,
    staged_evidence.order_id, staged_evidence.charge_id, :'batch_id'::bigint, staged_evidence.received_at
from staged_evidence
where staged_evidence.user_id <> ''
    or staged_evidence.device_id <> ''
    or staged_evidence.order_id <> ''
union
select
    repeated.sha256, repeated.source, repeated.user_id, repeated.device_id, repeated.order_id, repeated.charge_id,
    :'batch_id'::bigint, repeated.received_at
from repeated
on conflict do nothing;
