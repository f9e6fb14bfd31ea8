-- purpose: whether partitions or decisions of a full run are stored. An erasure may have removed the partitions alone.
-- grain:   one row
select
    exists (select 1 from partitions)
    or exists (select 1 from partition_matches)
    or exists (select 1 from partition_refused_claims)
    or exists (select 1 from partition_second_charges)
    or exists (select 1 from partition_ambiguous_candidates) as is_stored;
