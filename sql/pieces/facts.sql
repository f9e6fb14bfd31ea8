-- purpose: the stored facts of a piece, some chunks at a time.
-- parameters: piece, list (integer): kind of facts; first_chunk, last_chunk (integer)
-- grain:   one row per chunk
select rows
from piece_facts
where piece = :'piece'::integer
    and list = :'list'::integer
    and chunk between :'first_chunk'::integer and :'last_chunk'::integer
order by chunk;
