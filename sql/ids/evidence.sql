-- purpose: hashes of evidence that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select evidence.sha256
from evidence
where evidence.sha256 >= :'prefix'::text
    and evidence.sha256 < :'prefix'::text || chr(1114111)
order by evidence.sha256
limit :'rows'::bigint;
