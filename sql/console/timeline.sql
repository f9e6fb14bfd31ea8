-- purpose: history of some orders and charges, each event with its source: our order file, Apple's evidence and its
--          uploader, Apple's notifications about refunds, a run's decision, or a reviewer's.
-- parameters: order_ids, charge_ids, break_ids (text[]): breaks about evidence alone; case_id (text): the case whose
--             decisions are included, empty for none; as_of (timestamptz), rows (bigint)
-- grain:   one row per event
with placed as materialized (
    select orders.* from unnest(:'order_ids'::text[]) as wanted (order_id) inner join orders on orders.order_id = wanted.order_id
),
charged as materialized (select charges.* from charges where charges.charge_id = any(:'charge_ids'::text[])),
signed as materialized (
    select transactions.evidence_sha256, transactions.transaction_id, transactions.signed_at, charged.charge_id
    from charged
    inner join transactions using (original_transaction_id, charge_id)
),
-- Evidence handed over for an order, genuine or not.
offered as materialized (
    select refused_claims.order_id, refused_claims.evidence_sha256 as sha256
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join refused_claims on refused_claims.order_id = wanted.order_id
    where refused_claims.evidence_sha256 is not null
    union
    select uploads.order_id, uploads.sha256
    from uploads
    where uploads.order_id = any(:'order_ids'::text[])
    union
    -- Evidence that a break is about.
    select '', hash_of_letters(split_part(break_events.subject_id, ':', 2))
    from break_events
    where break_events.break_id = any(:'break_ids'::text[])
        and break_events.subject_id like 'evidence:%'
),
uploaded as materialized (
    select subject.about, subject.about_id, uploads.*
    from (
        select 'said.charge' as about, signed.charge_id as about_id, signed.evidence_sha256 as sha256 from signed
        union all
        select
            case offered.order_id when '' then 'said.evidence' else 'said.order' end,
            case offered.order_id when '' then encode(offered.sha256, 'hex') else offered.order_id end,
            offered.sha256
        from offered
        where offered.sha256 not in (select signed.evidence_sha256 from signed)
    ) as subject
    inner join uploads on uploads.sha256 = subject.sha256
),
notified as materialized (
    select distinct notifications.type, notifications.signed_at, notifications.evidence_sha256, charged.charge_id
    from charged
    inner join notifications using (original_transaction_id, bundle_id, environment)
    where notifications.type in ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED', 'REFUND_REVERSED', 'REVOKE')
),
paired as materialized (
    select matches.charge_id, matches.order_id, matches.rung, matches.valid_from, matches.run_id
    from charged
    inner join matches using (original_transaction_id, charge_id)
),
instant as (
    select instant.at, phrase(instant.key) as what, 'said.order' as about, placed.order_id as about_id,
        'said.order_file' as source, placed.batch_id::text as source_id
    from placed
    cross join lateral (
        values
            (placed.created_at, 'explain.order_created'), (placed.paid_at, 'explain.order_paid'),
            (placed.delivered_at, 'explain.order_delivered'), (placed.refunded_at, 'explain.order_refunded'),
            (placed.entitlement_expires_at, 'explain.our_access_ends')
    ) as instant (at, key)
    union all
    select instant.at, phrase(instant.key), 'said.charge', charged.charge_id, 'said.apple_evidence', charged.batch_id::text
    from charged
    cross join lateral (
        values
            (charged.purchased_at, 'explain.purchased'), (charged.expires_at, 'explain.expires'),
            (charged.revoked_at, 'explain.revoked'), (charged.reversed_at, 'explain.refund_reversed')
    ) as instant (at, key)
    union all
    select signed.signed_at, phrase('explain.transaction_signed', 'id', signed.transaction_id),
        'said.charge', signed.charge_id, 'said.evidence', encode(signed.evidence_sha256, 'hex')
    from signed
    union all
    select uploaded.received_at, phrase('explain.evidence_handed_over', jsonb_build_object('by', jsonb_build_array(
            phrase('word.' || uploaded.source), phrase('explain.user', 'id', nullif(uploaded.user_id, '')),
            phrase('explain.device', 'id', nullif(uploaded.device_id, '')), phrase('explain.for_order', 'id', nullif(uploaded.order_id, ''))
        ))), uploaded.about, uploaded.about_id, 'said.evidence', encode(uploaded.sha256, 'hex')
    from uploaded
    union all
    select notified.signed_at,
        phrase(case notified.type
            when 'CONSUMPTION_REQUEST' then 'explain.refund_asked'
            when 'REFUND' then 'explain.apple_reports_refund'
            when 'REFUND_DECLINED' then 'explain.apple_declines_refund'
            when 'REFUND_REVERSED' then 'explain.apple_reverses_refund'
            else 'explain.apple_ends_family_access'
        end),
        'said.charge', notified.charge_id, 'said.evidence', encode(notified.evidence_sha256, 'hex')
    from notified
    union all
    select act.at, phrase('timeline.done_by', jsonb_build_object(
            'act', phrase('said.act', jsonb_build_array(
                phrase('word.' || case act.kind when 'undo' then 'undo' else act.action end), phrase('word.' || act.step)
            )),
            'account', act.account
        )), 'said.case', act.case_id, 'said.our_review', ''
    from case_acts as act
    where act.case_id = :'case_id'::text
        and act.at <= :'as_of'::timestamptz
        and act.kind in ('decision', 'undo')
    union all
    select paired.valid_from, phrase('explain.matched', 'rung', paired.rung, 'order', paired.order_id),
        'said.charge', paired.charge_id, 'said.run', paired.run_id
    from paired
    union all
    select break_events.as_of,
        phrase(case when break_events.is_open then 'explain.class_open' else 'explain.class_resolved' end, 'class', break_events.class),
        'said.break', break_events.break_id, 'said.run', break_events.run_id
    from break_events
    where (break_events.order_id = any(:'order_ids'::text[]) or break_events.charge_id = any(:'charge_ids'::text[]))
        and break_events.as_of <= :'as_of'::timestamptz
)
select
    rfc3339(instant.at) as at, instant.what, phrase(instant.about, 'id', instant.about_id) as about,
    phrase(instant.source, 'id', instant.source_id) as source
from instant
where instant.at is not null
-- Steps of an order at one instant are in the order of its states.
order by
    instant.at, array_position(array['explain.order_created', 'explain.order_paid', 'explain.order_delivered'], instant.what ->> 'key'),
    instant.what, instant.about, instant.about_id, instant.source, instant.source_id
limit :'rows'::bigint;
