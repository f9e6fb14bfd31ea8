-- purpose: marks a piece as decided.
-- parameters: piece (integer)
-- grain:   one row
update pieces
set is_decided = true
where piece = :'piece'::integer;
