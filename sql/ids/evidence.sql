-- purpose: hashes of evidence and quarantine samples that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select known.sha256
from (
    (
        select encode(evidence.sha256, 'hex') as sha256
        from evidence
        where evidence.sha256 >= hash_of_letters(rpad(:'prefix'::text, 64, '0'))
            and evidence.sha256 <= hash_of_letters(rpad(:'prefix'::text, 64, 'f'))
            and length(:'prefix'::text) <= 64
        order by evidence.sha256
        limit :'rows'::bigint
    )
    union
    select quarantined_items.sha256
    from quarantined_items
    where quarantined_items.sha256 >= :'prefix'::text
        and quarantined_items.sha256 < :'prefix'::text || chr(1114111)
) as known
order by known.sha256
limit :'rows'::bigint;
