-- purpose: line item ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select matching.id
from keys_beginning(:'prefix'::text, 'line_item', :'rows'::bigint) as matching (id)
order by matching.id collate "C";
