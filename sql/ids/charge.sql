-- purpose: charge ids that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select charges.charge_id
from charges
where charges.charge_id >= :'prefix'::text
    and charges.charge_id < :'prefix'::text || chr(1114111)
order by charges.charge_id
limit :'rows'::bigint;
