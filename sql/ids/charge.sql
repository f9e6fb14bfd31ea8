-- purpose: charge ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select charges.charge_id
from charges
where charges.charge_id >= :'prefix'::text
    and charges.charge_id < :'prefix'::text || chr(1114111)
order by charges.charge_id
limit :'rows'::bigint;
