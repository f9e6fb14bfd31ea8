-- purpose: marks a partition as decided.
-- parameters: job (text): match or detect; piece (integer)
-- grain:   one row
update pieces
set is_decided = true
where job = :'job'::text
    and piece = :'piece'::integer;
