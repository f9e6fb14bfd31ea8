-- purpose: case ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select case_id
from (
    select items.case_id collate "C" as case_id from case_items_at('infinity') as items
    union
    -- A decision on a pair may be the only item of a case.
    select case_decisions.case_id from case_decisions
) as items
where items.case_id >= :'prefix'::text
    and items.case_id < :'prefix'::text || chr(1114111)
order by case_id
limit :'rows'::bigint;
