-- purpose: app account tokens that equal a text or start with it, in any letter case; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select matching.id
from keys_beginning(token_text(:'prefix'::text), 'token', :'rows'::bigint) as matching (id)
order by matching.id collate "C";
