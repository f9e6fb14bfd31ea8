-- purpose: original transaction ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select distinct charges.original_transaction_id
from charges
where charges.original_transaction_id >= :'prefix'::text
    and charges.original_transaction_id < :'prefix'::text || chr(1114111)
order by charges.original_transaction_id
limit :'rows'::bigint;
