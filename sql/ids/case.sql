-- purpose: case ids that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select distinct items.case_id collate "C" as case_id
from case_items_at('infinity') as items
where items.case_id collate "C" >= :'prefix'::text
    and items.case_id collate "C" < :'prefix'::text || chr(1114111)
order by case_id
limit :'rows'::bigint;
