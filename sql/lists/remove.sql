-- purpose: removes an entry from its list; the entry stays on record.
-- parameters: entry_id, person, reason (text); is_mistake (boolean): whether the entry never applied, not even to earlier
--             purchases; as_of (timestamptz)
-- grain:   one row: the entry's id; none if it does not exist or was removed before
insert into list_removals (entry_id, removed_by, reason, removed_at, is_mistake)
select list_entries.entry_id, :'person'::text, :'reason'::text, :'as_of'::timestamptz, :'is_mistake'::boolean
from list_entries
where list_entries.entry_id = :'entry_id'::text
on conflict do nothing
returning entry_id;
