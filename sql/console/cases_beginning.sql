-- purpose: gathered cases whose id equals a text or begins with it.
-- parameters: prefix (text), rows (bigint)
-- grain:   one row per case, in the order of the ids
select kept.case_id, kept.status, kept.about, kept.subject
from case_summaries as kept
where kept.case_id >= :'prefix'::text
    and kept.case_id < :'prefix'::text || chr(1114111)
order by kept.case_id
limit :'rows'::bigint;
