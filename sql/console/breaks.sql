-- purpose: open breaks as of the latest detection, with their decisions; most severe first, then oldest.
-- parameters: as_of (timestamptz), break_ids (text[])
-- grain:   one row per open break
with break_event as materialized (
    select
        break_events.*,
        case_id_of_break(break_events.user_id, break_events.order_id, break_events.charge_id, break_events.break_id) as case_id
    from open_break_events as break_events
    where break_events.break_id = any(:'break_ids'::text[] collate "C")
),
decided as materialized (
    select decided.break_id, decided.state
    from decided_breaks_at(:'as_of'::timestamptz, :'break_ids'::text[]) as decided
    where decided.ended_at is null
),
-- Cases whose decision is in force although its undo is proposed.
undo_proposed as materialized (
    select kept.case_id
    from console_cases as kept
    where kept.case_id = any(array(select break_event.case_id from break_event))
        and kept.proposed_action = 'undo'
)
select
    break_event.break_id, break_event.class, break_event.detail, break_event.severity,
    case
        when decided.state is not null then decided.state
        when break_event.case_id in (select undo_proposed.case_id from undo_proposed) then 'undo_proposed'
        else 'undecided'
    end as status,
    break_event.case_id, break_event.order_id, break_event.charge_id, break_event.user_id,
    money_text(at_stake(break_event.environment, break_event.amount_milliunits), break_event.currency) as at_stake,
    break_event.amount_milliunits, break_event.currency,
    rfc3339(break_event.opened_at) as opened_at,
    break_event.bundle_id as app, break_event.place
from break_event
left join decided on decided.break_id = break_event.break_id
order by break_event.place;
