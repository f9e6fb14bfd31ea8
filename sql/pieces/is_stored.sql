-- purpose: whether pieces or decisions of a full run are stored. An erasure may have removed the pieces alone.
-- grain:   one row
select
    exists (select 1 from pieces)
    or exists (select 1 from piece_matches)
    or exists (select 1 from piece_refused_claims)
    or exists (select 1 from piece_second_charges)
    or exists (select 1 from piece_ambiguous_candidates) as is_stored;
