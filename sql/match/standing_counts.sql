-- purpose: counts of the open items that match runs left.
-- grain:   one row
select
    (select count(distinct ambiguous_candidates.charge_id) from ambiguous_candidates) as ambiguous_count,
    (select count(*) from refused_claims) as refused_count;
