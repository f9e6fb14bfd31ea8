-- purpose: cases of which something waits for people as the latest detection and the latest decision left it: what of them is open,
--          how grave, since which detection. What an acceptance or dismissal covers does not wait while it holds, nor does what is
--          proposed: a second person was told of that.
create or replace function payrecon.open_cases() returns table (
    case_id text, names text[], severity text, bundle_ids text[], item_count bigint, at timestamptz
)
language sql stable parallel safe
as $$
    with looked as materialized (
        select
            greatest(
                (select max(detections.as_of) from payrecon.detections),
                (select max(case_decisions.at) from payrecon.case_decisions),
                (select max(case_undos.at) from payrecon.case_undos)
            ) as clock
    ),
    item as materialized (
        select
            break_events.break_id as item_id,
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
            signal_events.signal_id,
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
    ),
    -- Of what is open; what people said of other cases is not looked at.
    decided as materialized (
        select item.case_id, item.item_id
        from item
        where exists (select 1 from payrecon.case_decisions where case_decisions.case_id = item.case_id)
    ),
    settled as (
        select cases.case_id
        from looked
        cross join lateral payrecon.cases_among(
            looked.clock,
            array(select decided.item_id from decided),
            array(select distinct decided.case_id from decided)
        ) as cases
        where cases.status in ('closed', 'waiting_approval')
    )
    select
        item.case_id, array_agg(distinct item.name order by item.name), payrecon.severity_of(max(item.rank)),
        coalesce(
            array_agg(distinct item.bundle_id order by item.bundle_id) filter (where item.bundle_id is not null), '{}'
        ),
        count(*), max(item.as_of)
    from item
    where item.case_id not in (select settled.case_id from settled)
    group by item.case_id
$$;
