-- purpose: stores the undecided breaks of a case as shown to its assignee.
-- parameters: case_id (text), as_of (timestamptz); item_ids (text[]): its breaks and signals, null if unknown
-- grain:   one row; none if this account does not have the case
with item as materialized (
    select items.item_id
    from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
    where items.case_id = :'case_id'::text
        and items.item_kind = 'break'
        and items.is_open
        and not items.is_decided
),
newest as (
    select distinct on (item.item_id) item.item_id, break_events.as_of, break_events.attempt
    from item
    inner join break_events on break_events.break_id = item.item_id
    where break_events.as_of <= :'as_of'::timestamptz
    order by item.item_id asc, break_events.as_of desc, break_events.attempt desc
),
seen as (
    select
        coalesce(array_agg(newest.item_id order by newest.item_id collate "C"), '{}') as break_ids,
        coalesce(array_agg(newest.as_of order by newest.item_id collate "C"), '{}') as seen_as_of,
        coalesce(array_agg(newest.attempt order by newest.item_id collate "C"), '{}') as seen_attempts
    from newest
)
update case_leases
set
    seen_break_ids = seen.break_ids,
    seen_as_of = seen.seen_as_of,
    seen_attempts = seen.seen_attempts
from seen
where case_leases.case_id = :'case_id'::text
    and case_leases.account = acting_account();
