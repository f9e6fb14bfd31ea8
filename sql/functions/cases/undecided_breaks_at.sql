-- purpose: Returns the open, undecided breaks of some cases at a clock, each with its newest event and the instant at which it
--          last grew or came back.
-- grain:   one row per break
create or replace function payrecon.undecided_breaks_at(clock timestamptz, item_ids text[], case_ids text[]) returns table (
    case_id text, break_id text, name text, order_id text, charge_id text, as_of timestamptz, attempt integer,
    since_at timestamptz
)
language sql stable parallel safe
as $$
    with item as materialized (
        select items.case_id, items.item_id, items.name, items.order_id, items.charge_id, items.since_at
        from payrecon.case_items_at(clock, undecided_breaks_at.item_ids) as items
        where items.case_id = any(undecided_breaks_at.case_ids)
            and items.item_kind = 'break'
            and items.is_open
            and not items.is_decided
    )
    select distinct on (item.item_id)
        item.case_id, item.item_id, item.name, item.order_id, item.charge_id, break_events.as_of, break_events.attempt,
        item.since_at
    from item
    inner join payrecon.break_events on break_events.break_id = item.item_id
    where break_events.as_of <= clock
    order by item.item_id asc, break_events.as_of desc, break_events.attempt desc
$$;
