-- purpose: transaction ids that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select distinct match_keys.key
from match_keys
where match_keys.key >= :'prefix'::text
    and match_keys.key < :'prefix'::text || chr(1114111)
    and match_keys.kind = 'transaction_id'
order by match_keys.key
limit :'rows'::bigint;
