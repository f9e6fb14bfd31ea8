-- purpose: Returns open breaks and open signals of live rules with their case, as of the latest detection.
create or replace function payrecon.open_items() returns table (
    item_id text, case_id text, name text, rank integer, bundle_id text, as_of timestamptz
)
language sql stable parallel safe
as $$
    select
        break_events.break_id,
        payrecon.case_id_of_break(
            break_events.user_id, break_events.order_id, break_events.charge_id, break_events.break_id
        ),
        break_events.class, payrecon.severity_rank(break_events.severity), break_events.bundle_id, break_events.as_of
    from payrecon.open_break_events as break_events
    union all
    select
        signal_events.signal_id,
        payrecon.case_id_of_signal(signal_events.user_id, signal_events.subject_kind, signal_events.subject_id),
        signal_events.rule, 3, signal_events.bundle_id, signal_events.as_of
    from payrecon.open_signal_events as signal_events
    where signal_events.state = 'live'
$$;
