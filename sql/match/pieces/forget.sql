-- purpose: removes the decisions of a match run's partitions, once they are recorded or obsolete.
-- grain:   one row per stored decision
delete from piece_matches;
delete from piece_refused_claims;
delete from piece_second_charges;
delete from piece_ambiguous_candidates;
