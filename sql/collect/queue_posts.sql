-- purpose: queues each signed text once. A text that was received before or that is already queued is counted,
--          not queued.
-- parameters: posts_left, bytes_left (bigint): room in the queue; foreign_max, receipt_max (bigint): limits per day
-- grain:   one row per staged text: the reason for refusal, empty if accepted or known; and whether it was queued now
with staged as materialized (
    select
        staged_posts.place, staged_posts.is_quarantined, staged_posts.signed_sha256, staged_posts.sha256, staged_posts.verdict,
        staged_posts.kind, (staged_posts.received_at at time zone 'UTC')::date as day,
        length(staged_posts.body)::bigint as byte_count
    from staged_posts
),
known as materialized (
    -- Delivery by Apple is new information even if the evidence is known from another source.
    select staged.place
    from staged
    inner join judged_evidence as evidence on evidence.sha256 = staged.sha256
    where evidence.verdict = staged.verdict
        and (
            evidence.source = 'notification'
            or exists (select 1 from uploads where uploads.sha256 = evidence.sha256 and uploads.source = 'notification')
        )
    union
    select staged.place
    from staged
    inner join received_notifications on received_notifications.signed_sha256 = staged.signed_sha256
),
first_copy as materialized (
    select distinct on (staged.signed_sha256) staged.*
    from staged
    where staged.place not in (select known.place from known)
    order by staged.signed_sha256, staged.place
),
bounded as materialized (
    select
        first_copy.*,
        (
            select coalesce(sum(door_counts.item_count), 0)
            from door_counts
            where door_counts.day = first_copy.day
                and door_counts.kind = first_copy.kind
        ) + row_number() over (partition by first_copy.day, first_copy.kind order by first_copy.place) as number
    from first_copy
),
limited as (
    select
        bounded.*,
        bounded.kind = ''
        or (bounded.kind = 'foreign' and bounded.number <= :'foreign_max'::bigint)
        or (bounded.kind = 'receipt' and bounded.number <= :'receipt_max'::bigint) as is_within_bound
    from bounded
),
admission as materialized (
    select
        limited.signed_sha256, limited.place, limited.day, limited.kind, limited.byte_count,
        case
            when not limited.is_within_bound then limited.kind
            when count(*) filter (where limited.is_within_bound) over in_order > :'posts_left'::bigint
                or sum(limited.byte_count) filter (where limited.is_within_bound) over in_order > :'bytes_left'::bigint
                then 'queue'
            else ''
        end as refused_for
    from limited
    window in_order as (order by limited.place)
),
queued as (
    insert into received_notifications (received_at, body, signed_sha256)
    select staged_posts.received_at, staged_posts.body, staged_posts.signed_sha256
    from admission
    inner join staged_posts on staged_posts.place = admission.place
    where admission.refused_for = ''
    -- A fixed order prevents deadlocks between two servers.
    order by staged_posts.signed_sha256
    on conflict (signed_sha256) do nothing
),
answered as materialized (
    select
        staged.*, coalesce(admission.refused_for, '') as refused_for,
        coalesce(admission.refused_for = '' and admission.place = staged.place, false) as is_queued
    from staged
    left join admission
        on admission.signed_sha256 = staged.signed_sha256
        and staged.place not in (select known.place from known)
),
counted as (
    insert into door_counts (day, kind, item_count, byte_count)
    select taken.day, taken.kind, count(*), sum(taken.byte_count)::bigint
    from (
        select answered.day, answered.kind, answered.byte_count
        from answered
        where answered.is_queued
            and answered.kind <> ''
        union all
        -- A quarantined post is counted as a whole, not by its items.
        select answered.day, 'repeated', answered.byte_count
        from answered
        where answered.refused_for = ''
            and not answered.is_queued
            and not answered.is_quarantined
    ) as taken
    group by taken.day, taken.kind
    order by taken.day, taken.kind
    on conflict (day, kind) do update
    set
        item_count = door_counts.item_count + excluded.item_count,
        byte_count = door_counts.byte_count + excluded.byte_count
)
select answered.place, answered.refused_for, answered.is_queued
from answered
order by answered.place;
