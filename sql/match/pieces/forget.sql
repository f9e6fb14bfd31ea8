-- purpose: what pieces of a match run decided is recorded, or no use any more.
-- grain:   one row per whatever was kept
delete from piece_matches;
delete from piece_refused_claims;
delete from piece_second_charges;
delete from piece_ambiguous_candidates;
