-- purpose: open breaks as of the latest detection, with their decisions; most severe first, then oldest.
-- parameters: as_of (timestamptz), break_ids (text[])
-- grain:   one row per open break
with break_event as materialized (
    select break_events.*, open_breaks.place
    from open_breaks
    inner join break_events
        on break_events.break_id = open_breaks.break_id
        and break_events.as_of = open_breaks.as_of
        and break_events.attempt = open_breaks.attempt
    where open_breaks.break_id = any(:'break_ids'::text[] collate "C")
),
decided as materialized (
    select decided.break_id, decided.state
    from decided_breaks_among(:'as_of'::timestamptz, :'break_ids'::text[]) as decided
    where decided.ended_at is null
),
item as materialized (
    select items.case_id, items.item_id
    from case_items_among(:'as_of'::timestamptz, :'break_ids'::text[]) as items
    where items.item_kind = 'break'
),
-- Cases whose decision is in force although its undo is proposed.
doubted as materialized (
    select kept.case_id
    from console_cases as kept
    where kept.case_id = any(array(select item.case_id from item))
        and kept.proposed_action = 'undo'
)
select
    break_event.break_id, break_event.class, break_event.detail, break_event.severity,
    case
        when decided.state is not null then decided.state
        when break_event.break_id in (select item.item_id from item inner join doubted on doubted.case_id = item.case_id)
            then 'undo_proposed'
        else 'undecided'
    end as status,
    case_id_of_break(break_event.user_id, break_event.order_id, break_event.charge_id, break_event.break_id) as case_id,
    break_event.order_id, break_event.charge_id, break_event.user_id,
    money_text(at_stake(break_event.environment, break_event.amount_milliunits), break_event.currency) as at_stake,
    break_event.amount_milliunits, break_event.currency,
    rfc3339(break_event.opened_at) as opened_at,
    break_event.bundle_id as app, break_event.place
from break_event
left join decided on decided.break_id = break_event.break_id
order by break_event.place;
