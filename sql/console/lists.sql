-- purpose: a page of the lists that the rules respect, newest entries first.
-- parameters: as_of (timestamptz); id, list (text): empty for all; after (text): place after which the page begins, empty for
--             the first; rows (bigint)
-- grain:   one row per entry
with told as materialized (
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
    told.entry_id, told.list, told.subject_kind as kind, told.subject_id as id, nullif(told.family, '') as family,
    nullif(told.rule, '') as rule,
    list_entry_status(told.valid_from, told.valid_to, told.removed_at, :'as_of'::timestamptz) as status,
    told.owner, told.reason as said, rfc3339(told.valid_to) as until_at, rfc3339(told.removed_at) as removed_at, told.removed_by,
    told.place
from told
where :'after'::text = '' or told.place < :'after'::text collate "C"
order by told.place collate "C" desc
limit :'rows'::bigint;
