-- purpose: Returns every signal that was ever raised up to a clock: its newest event, the instant since which it has its strength
--          as a live signal, and since when it is live. Reviewers do not see it as a shadow.
create or replace function payrecon.signals_at(clock timestamptz) returns table (
    signal_id text, rule text, rule_version integer, state text, is_open boolean, subject_kind text, subject_id text,
    bundle_id text, user_id text, order_id text, charge_id text, score bigint, amount_milliunits bigint, currency text,
    happened_at timestamptz, raised_at timestamptz, stronger_at timestamptz, live_at timestamptz, as_of timestamptz, detail jsonb,
    inputs text, parameters text
)
language sql stable parallel safe
as $$
    -- The last event of each clock.
    with event as (
        select distinct on (signal_events.signal_id, signal_events.as_of) signal_events.*
        from payrecon.signal_events
        where signal_events.as_of <= clock
        order by signal_events.signal_id, signal_events.as_of, signal_events.attempt desc
    ),
    measured as (
        select
            event.*,
            max(event.score) filter (where event.state = 'live') over (
                partition by event.signal_id, event.raised_at order by event.as_of
                rows between unbounded preceding and 1 preceding
            ) as earlier_score
        from event
    ),
    newest as (
        select
            measured.*,
            max(measured.as_of) filter (
                where measured.state = 'live' and measured.score > coalesce(measured.earlier_score, -1)
            ) over (
                partition by measured.signal_id, measured.raised_at
            ) as stronger_at,
            min(measured.as_of) filter (where measured.state = 'live') over (
                partition by measured.signal_id, measured.raised_at
            ) as live_at,
            bool_or(measured.is_open) over (partition by measured.signal_id) as was_ever_open,
            row_number() over (partition by measured.signal_id order by measured.as_of desc) as recency
        from measured
    )
    select
        newest.signal_id, newest.rule, newest.rule_version, newest.state, newest.is_open, newest.subject_kind,
        newest.subject_id, newest.bundle_id, newest.user_id, newest.order_id, newest.charge_id, newest.score,
        newest.amount_milliunits, newest.currency, newest.happened_at, newest.raised_at, newest.stronger_at, newest.live_at,
        newest.as_of, newest.detail, newest.inputs, newest.parameters
    from newest
    where newest.recency = 1
        -- Leaves out signals that were raised and lapsed at one clock.
        and newest.was_ever_open
$$;
