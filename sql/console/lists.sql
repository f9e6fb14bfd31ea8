-- purpose: a page of the lists that the rules respect, newest entries first.
-- parameters: as_of (timestamptz); id, list (text): empty for all; after (text): sort key after which the page begins,
--             empty for the first page; rows (bigint)
-- grain:   one row per entry
with entry as materialized (
    select
        list_entries.*, list_removals.removed_at, list_removals.removed_by,
        to_char(list_entries.added_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '|' || list_entries.entry_id as place
    from list_entries
    left join list_removals
        on list_removals.entry_id = list_entries.entry_id
        and list_removals.removed_at <= :'as_of'::timestamptz
    where list_entries.added_at <= :'as_of'::timestamptz
        and :'id'::text in ('', list_entries.subject_id)
        and :'list'::text in ('', list_entries.list)
)
select
    entry.entry_id, entry.list, entry.subject_kind as kind, entry.subject_id as id, nullif(entry.family, '') as family,
    nullif(entry.rule, '') as rule,
    list_entry_status(entry.valid_from, entry.valid_to, entry.removed_at, :'as_of'::timestamptz) as status,
    entry.owner, entry.reason as said, rfc3339(entry.valid_to) as until_at, rfc3339(entry.removed_at) as removed_at, entry.removed_by,
    entry.place
from entry
where :'after'::text = '' or entry.place < :'after'::text collate "C"
order by entry.place collate "C" desc
limit :'rows'::bigint;
