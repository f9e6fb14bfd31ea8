-- purpose: a run in pieces is recorded, or no use any more.
-- grain:   one row per piece and whatever was kept of it
delete from match_pieces;
delete from piece_members;
delete from piece_matches;
delete from piece_refused_claims;
delete from piece_second_charges;
delete from piece_ambiguous_candidates;
