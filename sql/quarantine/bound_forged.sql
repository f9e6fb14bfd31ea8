-- purpose: moves forged evidence of a chunk that is tied to no user into the quarantine, above the limits of one source and
--          day. This starts only after a signature of the same kind was verified under these roots and apps, since until
--          then it may be Apple's. Nested items signed by Apple stay.
-- parameters: reader_sha256 (text), items_max, byte_max (bigint)
-- grain:   one row: number of staged items moved out
with tied_item as materialized (
    select staged_evidence.sha256
    from staged_evidence
    where is_tied_upload(staged_evidence.source, staged_evidence.user_id, staged_evidence.order_id)
),
untied_item as materialized (
    select distinct on (staged_evidence.sha256)
        staged_evidence.sha256, staged_evidence.body_sha256, staged_evidence.kind = 'receipt' as is_receipt, staged_evidence.source,
        (staged_evidence.received_at at time zone 'UTC')::date as day, length(staged_evidence.body)::bigint as byte_count
    from staged_evidence
    where staged_evidence.verdict = 'forged'
        and staged_evidence.sha256 = staged_evidence.top_sha256
        and not staged_evidence.is_from_apple
        and not staged_evidence.is_reevaluation
        and staged_evidence.sha256 not in (select tied_item.sha256 from tied_item)
    order by staged_evidence.sha256, staged_evidence.received_at, staged_evidence.item
),
named as materialized (
    select untied_item.sha256, untied_item.sha256 as text_sha256 from untied_item
    union all
    select untied_item.sha256, untied_item.body_sha256 from untied_item
),
known as materialized (
    select untied_item.sha256
    from untied_item
    inner join evidence on evidence.sha256 = untied_item.sha256
    union
    -- An order names the item, or the text in which it was posted, now or in an earlier version.
    select named.sha256
    from named
    inner join orders on orders.evidence_sha256 = named.text_sha256
    union
    select named.sha256
    from named
    inner join order_versions on order_versions.evidence_sha256 = named.text_sha256
),
proof as materialized (
    select proven_kinds.is_receipt
    from proven_kinds
    where proven_kinds.reader_sha256 = :'reader_sha256'::text
),
kept as materialized (
    select
        evidence.source, (evidence.received_at at time zone 'UTC')::date as day, count(*) as item_count,
        sum(coalesce(evidence.unpacked_length, length(evidence.body))) as byte_count
    from judged_evidence as evidence
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict = 'forged'
        and evidence.received_at >= (select min(untied_item.day) from untied_item)::timestamp at time zone 'UTC'
    group by evidence.source, (evidence.received_at at time zone 'UTC')::date
),
placed as materialized (
    select
        untied_item.*,
        row_number() over (partition by untied_item.source, untied_item.day order by untied_item.sha256) as place,
        sum(untied_item.byte_count) over (partition by untied_item.source, untied_item.day order by untied_item.sha256) as bytes
    from untied_item
    where untied_item.sha256 not in (select known.sha256 from known)
        and untied_item.is_receipt in (select proof.is_receipt from proof)
),
over_bound as materialized (
    select placed.sha256
    from placed
    left join kept using (source, day)
    where coalesce(kept.item_count, 0) + placed.place > :'items_max'::bigint
        or coalesce(kept.byte_count, 0) + placed.bytes > :'byte_max'::bigint
),
taken as (
    insert into staged_quarantine (
        source, sha256, kind, bundle_id, environment, verdict, reason, body_base64, byte_count, received_at
    )
    select
        staged_evidence.source, encode(staged_evidence.sha256, 'hex'), staged_evidence.kind, staged_evidence.bundle_id,
        staged_evidence.environment, staged_evidence.verdict, staged_evidence.reason,
        replace(encode(staged_evidence.body, 'base64'), e'\n', ''), length(staged_evidence.body), staged_evidence.received_at
    from staged_evidence
    inner join over_bound on over_bound.sha256 = staged_evidence.sha256
    where staged_evidence.is_top
    returning sha256
),
removed as (
    delete from staged_evidence
    using over_bound
    where staged_evidence.top_sha256 = over_bound.sha256
        and staged_evidence.verdict not in ('genuine', 'foreign')
),
promoted_item as (
    update staged_evidence
    set
        top_sha256 = staged_evidence.sha256,
        parent_sha256 = null
    from over_bound
    where staged_evidence.top_sha256 = over_bound.sha256
        and staged_evidence.verdict in ('genuine', 'foreign')
)
select count(*) as item_count
from taken;
