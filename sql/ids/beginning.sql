-- purpose: ids of a kind that equal a text or start with it; an exact match comes first.
-- parameters: kind (text): see functions/inputs/keys_beginning.sql, prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select matching.id
from keys_beginning(:'prefix'::text, :'kind'::text, :'rows'::bigint) as matching (id)
order by matching.id collate "C";
