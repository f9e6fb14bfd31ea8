-- purpose: differences between the recorded matches of a scope and a re-evaluation; none if matches are current.
-- parameters: row_max (bigint)
-- grain:   one row per difference
select subject
from (
    select 'match of order ' || order_id || ' and charge ' || charge_id || ' would be ' || change as subject
    from match_change
    union all
    select 'refused claim of order ' || coalesce(match_refused.order_id, refused_claims.order_id)
    from match_refused
    full join in_refused_claims as refused_claims
        on refused_claims.order_id = match_refused.order_id
        and refused_claims.class = match_refused.class
        and refused_claims.rung = match_refused.rung
        and refused_claims.charge_id is not distinct from match_refused.charge_id
    where match_refused.order_id is null
        or refused_claims.order_id is null
    union all
    select 'second charge ' || coalesce(match_second.charge_id, second_charges.charge_id)
    from match_second
    full join in_second_charges as second_charges using (charge_id, order_id)
    where match_second.charge_id is null
        or second_charges.charge_id is null
    union all
    select 'ambiguous charge ' || coalesce(match_ambiguous.charge_id, ambiguous_candidates.charge_id)
    from match_ambiguous
    full join in_ambiguous_candidates as ambiguous_candidates using (charge_id, order_id, rank)
    where match_ambiguous.charge_id is null
        or ambiguous_candidates.charge_id is null
) as difference
order by subject
limit :'row_max'::bigint;
