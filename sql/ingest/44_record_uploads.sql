-- purpose: records uploads that add information to the evidence row.
-- parameters: batch_id (bigint)
-- grain:   one row per delivery that names a user, device or order, or that is earlier than the known one
insert into uploads (sha256, source, user_id, device_id, order_id, charge_id, batch_id, received_at)
with former as materialized (
    select staged_evidence.*
    from staged_evidence
    where not exists (
        select 1
        from fresh_evidence
        where fresh_evidence.sha256 = staged_evidence.sha256
            and fresh_evidence.item = staged_evidence.item
            and not fresh_evidence.is_known
    )
),
repeated as materialized (
    select
        former.sha256, former.source, former.user_id, former.device_id, former.order_id, former.charge_id, former.received_at
    from former
    inner join evidence on evidence.sha256 = former.sha256
    where (former.received_at, former.source) < (evidence.received_at, evidence.source)
        -- Apple delivered the notification after we collected it, so it was not missed.
        or (former.source = 'notification' and evidence.source <> 'notification')
),
-- Bytes that are genuine already state their charge, even if this delivery of them is read before Apple's signature.
genuine as materialized (
    select evidence.sha256, evidence.charge_id
    from (select distinct former.sha256 from former where former.charge_id is null) as unjudged
    inner join judged_evidence as evidence on evidence.sha256 = unjudged.sha256
    where evidence.verdict = 'genuine'
        and evidence.charge_id is not null
)
select
    staged_evidence.sha256, staged_evidence.source, staged_evidence.user_id, staged_evidence.device_id, staged_evidence.order_id,
    coalesce(staged_evidence.charge_id, genuine.charge_id), :'batch_id'::bigint, staged_evidence.received_at
from staged_evidence
left join genuine on genuine.sha256 = staged_evidence.sha256
where staged_evidence.user_id <> ''
    or staged_evidence.device_id <> ''
    or staged_evidence.order_id <> ''
union
select
    repeated.sha256, repeated.source, repeated.user_id, repeated.device_id, repeated.order_id,
    coalesce(repeated.charge_id, genuine.charge_id), :'batch_id'::bigint, repeated.received_at
from repeated
left join genuine on genuine.sha256 = repeated.sha256
on conflict do nothing;
