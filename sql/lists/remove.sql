-- purpose: takes an entry off its list; the entry stays on record.
-- parameters: entry_id, person, reason (text); is_mistake (boolean): it covers nothing, not even what was bought before; as_of
--             (timestamptz)
-- grain:   one row: the entry's id; none when there is no such entry or it was removed before
insert into list_removals (entry_id, removed_by, reason, removed_at, is_mistake)
select list_entries.entry_id, :'person'::text, :'reason'::text, :'as_of'::timestamptz, :'is_mistake'::boolean
from list_entries
where list_entries.entry_id = :'entry_id'::text
on conflict do nothing
returning entry_id;
