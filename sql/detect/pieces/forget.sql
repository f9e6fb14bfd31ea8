-- purpose: what pieces of a detect run found is recorded, or no use any more.
-- grain:   one row per difference
delete from piece_breaks;
