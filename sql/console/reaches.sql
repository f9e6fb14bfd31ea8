-- purpose: whether a case is there and in one of an account's inboxes.
-- parameters: case_id (text), inboxes (text[]): none for all, as_of (timestamptz)
-- grain:   one row, or none
select items.case_id
from case_items_at(:'as_of'::timestamptz) as items
left join break_classes on break_classes.class = items.name
where items.case_id = :'case_id'::text
    and (
        cardinality(:'inboxes'::text[]) = 0
        or coalesce(break_classes.owner_team, 'fraud') = any(:'inboxes'::text[])
    )
limit 1;
