-- purpose: where the ladder, climbed anew on what is known, decides otherwise than is recorded of an order or a charge. What
--          it decides where nothing is recorded is for decisions_anew.sql.
-- parameters: id (text): order id or charge id
-- grain:   one row per difference, then one on what stands; none when nothing came in since the last match run
with told as (
    select
        match_change.order_id, match_change.charge_id, match_change.change = 'begun' as is_new,
        case match_change.change when 'begun' then '' else 'no longer ' end || 'matched by ' || match_change.rung
            || ', order ' || match_change.order_id || ' with charge ' || match_change.charge_id as text
    from match_change
    union all
    select
        coalesce(match_refused.order_id, refused_claims.order_id),
        coalesce(match_refused.charge_id, refused_claims.charge_id),
        -- A refused claim is no decision on the charge.
        refused_claims.order_id is null and match_refused.order_id = :'id'::text,
        case when match_refused.order_id is null then 'no longer ' else '' end || 'refused by '
            || coalesce(match_refused.rung, refused_claims.rung) || ', order '
            || coalesce(match_refused.order_id, refused_claims.order_id) || ', '
            || coalesce(match_refused.class, refused_claims.class)
    from match_refused
    full join in_refused_claims as refused_claims
        on refused_claims.order_id = match_refused.order_id
        and refused_claims.class = match_refused.class
        and refused_claims.rung = match_refused.rung
        and refused_claims.charge_id is not distinct from match_refused.charge_id
        and refused_claims.evidence_sha256 is not distinct from match_refused.evidence_sha256
        and refused_claims.counterpart is not distinct from match_refused.counterpart
    where match_refused.order_id is null
        or refused_claims.order_id is null
    union all
    select
        coalesce(match_ambiguous.order_id, ambiguous_candidates.order_id),
        coalesce(match_ambiguous.charge_id, ambiguous_candidates.charge_id),
        ambiguous_candidates.order_id is null,
        case when match_ambiguous.order_id is null then 'no longer ' else '' end || 'ambiguous, order '
            || coalesce(match_ambiguous.order_id, ambiguous_candidates.order_id) || ' and charge '
            || coalesce(match_ambiguous.charge_id, ambiguous_candidates.charge_id)
    from match_ambiguous
    full join in_ambiguous_candidates as ambiguous_candidates
        on ambiguous_candidates.charge_id = match_ambiguous.charge_id
        and ambiguous_candidates.order_id = match_ambiguous.order_id
        and ambiguous_candidates.rank = match_ambiguous.rank
    where match_ambiguous.order_id is null
        or ambiguous_candidates.order_id is null
),
recorded as (
    select order_id, charge_id from in_matches
    union all
    select order_id, null from in_refused_claims
    union all
    select order_id, charge_id from in_ambiguous_candidates
),
standing as (
    select count(*) > 0 as is_recorded
    from recorded
    where :'id'::text in (recorded.order_id, recorded.charge_id)
),
line as (
    select distinct 1 as place, 'the next match run decides otherwise: ' || told.text as text
    from told
    cross join standing
    where :'id'::text in (told.order_id, told.charge_id)
        and (standing.is_recorded or not told.is_new)
)
select '  ' || text as text
from (
    select place, text from line
    union all
    select distinct 2, 'until then this stands, with what the rungs say of it now:'
    from line
    cross join standing
    where standing.is_recorded
) as said
order by place, text;
