-- purpose: removes a full run in pieces, once it is recorded or obsolete: its pieces and their decisions.
-- grain:   as in each table
delete from pieces;
delete from piece_matches;
delete from piece_refused_claims;
delete from piece_second_charges;
delete from piece_ambiguous_candidates;
