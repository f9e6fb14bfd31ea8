-- purpose: Returns every break that was ever open up to a clock: its newest event, status, the instant since which it has
--          its class, and its decision. Open breaks are undecided or decided. null selects all breaks.
create or replace function payrecon.breaks_at(clock timestamptz, break_ids text[] default null) returns table (
    break_id text, family text, class text, class_since timestamptz, severity text, status text, is_open boolean,
    as_of timestamptz, news_at timestamptz, opened_at timestamptz, bundle_id text, environment text, order_id text, charge_id text,
    transaction_id text, user_id text, amount_milliunits bigint, currency text, detail jsonb, is_decided boolean,
    came_back_at timestamptz, case_id text, decided_by text, approved_by text, decided_at timestamptz, reason text,
    holds_until timestamptz
)
language sql stable parallel safe
as $$
    with decided as materialized (
        select * from payrecon.decided_breaks_at(clock, breaks_at.break_ids)
    ),
    -- The last event of each clock.
    event as (
        select distinct on (break_events.break_id, break_events.as_of) break_events.*
        from payrecon.break_events
        where break_events.as_of <= clock
            and (breaks_at.break_ids is null or break_events.break_id = any(breaks_at.break_ids collate "C"))
        order by break_events.break_id asc, break_events.as_of asc, break_events.attempt desc
    ),
    latest_detection as (
        select max(newest.as_of) as as_of, min(newest.as_of) as earlier_as_of
        from (
            select detections.as_of
            from payrecon.detections
            where detections.as_of <= clock
            order by detections.as_of desc
            limit 2
        ) as newest
    ),
    classed as (
        select
            event.*,
            coalesce(
                lag(event.class) over (partition by event.break_id order by event.as_of), ''
            ) <> event.class as is_first_of_class
        from event
    ),
    sequenced as (
        select
            classed.*,
            lag(classed.is_open) over in_time as was_open,
            bool_or(classed.is_open) over (
                partition by classed.break_id order by classed.as_of
                rows between unbounded preceding and 1 preceding
            ) as was_ever_open,
            lead(classed.as_of) over in_time as next_as_of,
            max(classed.as_of) filter (where classed.is_first_of_class) over in_time as class_since
        from classed
        window in_time as (partition by classed.break_id order by classed.as_of)
    )
    select
        sequenced.break_id, sequenced.family, sequenced.class, sequenced.class_since, sequenced.severity,
        case
            when not sequenced.is_open then 'resolved'
            when in_force.break_id is not null then in_force.state
            -- The decision no longer applies: more is known since, or its time has passed.
            when decided.ended_at > latest_detection.earlier_as_of then 'reopened'
            when sequenced.as_of < latest_detection.as_of or sequenced.was_open then 'persisting'
            when sequenced.was_ever_open then 'reopened'
            else 'new'
        end,
        sequenced.is_open, sequenced.as_of, coalesce(sequenced.news_at, sequenced.as_of), sequenced.opened_at,
        sequenced.bundle_id, sequenced.environment,
        sequenced.order_id, sequenced.charge_id, sequenced.transaction_id, sequenced.user_id,
        sequenced.amount_milliunits, sequenced.currency, sequenced.detail,
        in_force.break_id is not null,
        case when sequenced.is_open then decided.ended_at end,
        in_force.case_id, in_force.decided_by, in_force.approved_by, in_force.decided_at, in_force.reason,
        in_force.holds_until
    from sequenced
    cross join latest_detection
    left join decided on decided.break_id = sequenced.break_id
    left join decided as in_force
        on in_force.break_id = sequenced.break_id
        and in_force.ended_at is null
        and sequenced.is_open
    where sequenced.next_as_of is null
        and (sequenced.is_open or sequenced.was_ever_open)
$$;
