-- purpose: a piece is decided.
-- parameters: piece (integer)
-- grain:   one row
update match_pieces
set is_decided = true
where piece = :'piece'::integer;
