-- purpose: export of list entries known at an instant, with their ends.
-- parameters: as_of (timestamptz)
-- grain:   one row per entry
select
    list_entries.entry_id, list_entries.list, list_entries.subject_kind, list_entries.subject_id,
    nullif(list_entries.family, '') as family,
    nullif(list_entries.rule, '') as rule,
    list_entry_status(
        list_entries.valid_from, list_entries.valid_to, list_removals.removed_at, :'as_of'::timestamptz
    ) as status,
    list_entries.owner, list_entries.reason,
    rfc3339(list_entries.valid_from) as valid_from,
    rfc3339(list_entries.valid_to) as valid_to,
    rfc3339(list_entries.added_at) as added_at,
    rfc3339(list_removals.removed_at) as removed_at,
    list_removals.removed_by, list_removals.reason as removal_reason
from list_entries
left join list_removals
    on list_removals.entry_id = list_entries.entry_id
    and list_removals.removed_at <= :'as_of'::timestamptz
where list_entries.added_at <= :'as_of'::timestamptz
order by list_entries.list, list_entries.subject_kind, list_entries.subject_id, list_entries.valid_from, list_entries.entry_id;
