-- purpose: the items of a case or decision, and whether each is open or since when it is over.
-- parameters: case_id (text), as_of (timestamptz); break_ids (text[]): the breaks in question, none: all of the case;
--             item_ids (text[]): its breaks and signals, null if unknown
-- grain:   one row per break and signal
with item as materialized (
    select items.item_id, items.name, items.is_open
    from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
    where items.case_id = :'case_id'::text
        and (cardinality(:'break_ids'::text[]) = 0 or items.item_id = any(:'break_ids'::text[]))
),
item_events as materialized (
    select item.item_id, break_events.as_of
    from item
    inner join break_events on break_events.break_id = item.item_id
    where break_events.as_of <= :'as_of'::timestamptz
    union all
    select item.item_id, signal_events.as_of
    from item
    inner join signal_events on signal_events.signal_id = item.item_id
    where signal_events.as_of <= :'as_of'::timestamptz
)
select item.is_open, phrase('refusal.item_went', 'name', item.name, 'at', rfc3339(max(item_events.as_of)))::text as words
from item
inner join item_events on item_events.item_id = item.item_id
group by item.item_id, item.name, item.is_open
order by item.name collate "C", item.item_id collate "C";
