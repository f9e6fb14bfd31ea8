-- purpose: ids of list entries that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select list_entries.entry_id
from list_entries
where list_entries.entry_id >= :'prefix'::text
    and list_entries.entry_id < :'prefix'::text || chr(1114111)
order by list_entries.entry_id
limit :'rows'::bigint;
