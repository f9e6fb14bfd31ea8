-- purpose: removes a full run in partitions, once it is recorded or obsolete: its partitions and their decisions.
-- grain:   as in each table
delete from partitions;
delete from partition_matches;
delete from partition_refused_claims;
delete from partition_second_charges;
delete from partition_ambiguous_candidates;
