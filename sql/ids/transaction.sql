-- purpose: transaction ids that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select begun.id
from keys_beginning(:'prefix'::text, 'transaction', :'rows'::bigint) as begun (id)
order by begun.id collate "C";
