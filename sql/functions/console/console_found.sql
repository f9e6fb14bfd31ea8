-- purpose: Returns every case up to a clock with all breaks and signals ever found for it, and every case with a decision.
create or replace function payrecon.console_found(clock timestamptz) returns table (case_id text, item_id text)
language sql stable parallel safe
as $$
    with found as materialized (
        select distinct
            payrecon.case_id_of_break(
                break_events.user_id, break_events.order_id, break_events.charge_id, break_events.break_id
            ) as case_id,
            break_events.break_id as item_id
        from payrecon.break_events
        where break_events.as_of <= clock
        union all
        select distinct
            payrecon.case_id_of_signal(signal_events.user_id, signal_events.subject_kind, signal_events.subject_id),
            signal_events.signal_id
        from payrecon.signal_events
        where signal_events.as_of <= clock
    )
    select found.case_id, found.item_id
    from found
    union all
    select distinct case_decisions.case_id, null::text
    from payrecon.case_decisions
    where case_decisions.case_id not in (select found.case_id from found)
$$;
