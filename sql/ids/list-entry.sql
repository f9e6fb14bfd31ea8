-- purpose: list entry ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select list_entries.entry_id
from list_entries
where list_entries.entry_id >= :'prefix'::text
    and list_entries.entry_id < :'prefix'::text || chr(1114111)
order by list_entries.entry_id
limit :'rows'::bigint;
