-- purpose: what each break was at a clock, said once for exports and reports.

-- The age bucket of a break that opened at an instant.
create function payrecon.age_bucket(as_of timestamptz, opened_at timestamptz) returns text
language sql immutable parallel safe
as $$
    select case
        when as_of - opened_at < interval '2 days' then '0-1'
        when as_of - opened_at < interval '8 days' then '2-7'
        when as_of - opened_at < interval '31 days' then '8-30'
        when as_of - opened_at < interval '61 days' then '31-60'
        else '>60'
    end
$$;

-- Every break that was ever open by a clock: its newest event, its status, and since when it has its class.
create function payrecon.breaks_at(clock timestamptz) returns table (
    break_id text, family text, class text, class_since timestamptz, severity text, status text, is_open boolean,
    as_of timestamptz, opened_at timestamptz, bundle_id text, environment text, order_id text, charge_id text,
    transaction_id text, user_id text, amount_milliunits bigint, currency text, detail text
)
language sql stable parallel safe
as $$
    with collapsed as (
        select distinct on (break_events.break_id, break_events.as_of) break_events.*
        from payrecon.break_events
        where break_events.as_of <= clock
        order by break_events.break_id asc, break_events.as_of asc, break_events.attempt desc
    ),
    latest_detection as (
        select max(detections.as_of) as as_of from payrecon.detections where detections.as_of <= clock
    ),
    classed as (
        select
            collapsed.*,
            coalesce(
                lag(collapsed.class) over (partition by collapsed.break_id order by collapsed.as_of), ''
            ) <> collapsed.class as is_first_of_class
        from collapsed
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
            when sequenced.as_of < latest_detection.as_of or sequenced.was_open then 'persisting'
            when sequenced.was_ever_open then 'reopened'
            else 'new'
        end,
        sequenced.is_open, sequenced.as_of, sequenced.opened_at, sequenced.bundle_id, sequenced.environment,
        sequenced.order_id, sequenced.charge_id, sequenced.transaction_id, sequenced.user_id,
        sequenced.amount_milliunits, sequenced.currency, sequenced.detail
    from sequenced
    cross join latest_detection
    where sequenced.next_as_of is null
        and (sequenced.is_open or sequenced.was_ever_open)
$$;
