-- purpose: case ids that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select case_id
from (
    select items.case_id collate "C" as case_id from case_items_at('infinity') as items
    union
    -- What people said of a pair may be all that there is of a case.
    select case_decisions.case_id from case_decisions
) as items
where items.case_id >= :'prefix'::text
    and items.case_id < :'prefix'::text || chr(1114111)
order by case_id
limit :'rows'::bigint;
