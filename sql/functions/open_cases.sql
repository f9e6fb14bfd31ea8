-- purpose: cases of which something is open as the latest detection left it, decided or not: what of, how grave, since which
--          detection.
create or replace function payrecon.open_cases() returns table (
    case_id text, names text[], severity text, bundle_ids text[], item_count bigint, at timestamptz
)
language sql stable parallel safe
as $$
    with item as (
        select
            payrecon.case_id_of_break(
                break_events.user_id, break_events.order_id, break_events.charge_id, break_events.break_id
            ) as case_id,
            break_events.class as name, payrecon.severity_rank(break_events.severity) as rank, break_events.bundle_id,
            break_events.as_of
        from payrecon.open_breaks
        inner join payrecon.break_events
            on break_events.break_id = open_breaks.break_id
            and break_events.as_of = open_breaks.as_of
            and break_events.attempt = open_breaks.attempt
        union all
        select
            payrecon.case_id_of(
                case when signal_events.user_id is null then signal_events.subject_kind else 'user' end,
                coalesce(signal_events.user_id, signal_events.subject_id)
            ),
            signal_events.rule, 3, signal_events.bundle_id, signal_events.as_of
        from payrecon.open_signals
        inner join payrecon.signal_events
            on signal_events.signal_id = open_signals.signal_id
            and signal_events.as_of = open_signals.as_of
            and signal_events.attempt = open_signals.attempt
        where open_signals.state = 'live'
    )
    select
        item.case_id, array_agg(distinct item.name order by item.name), payrecon.severity_of(max(item.rank)),
        coalesce(
            array_agg(distinct item.bundle_id order by item.bundle_id) filter (where item.bundle_id is not null), '{}'
        ),
        count(*), max(item.as_of)
    from item
    group by item.case_id
$$;
