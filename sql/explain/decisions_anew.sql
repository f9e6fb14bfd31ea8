-- purpose: what the ladder, climbed anew on what is known, decides of an order or a charge of which nothing is recorded.
-- parameters: id (text): order id or charge id
-- grain:   one row per match, refused claim or candidate; none when it decides nothing
with decision as (
    select
        1 as place,
        'matched by ' || match_change.rung || ' with charge ' || match_change.charge_id || ', confidence '
            || match_change.confidence as text,
        'match' as kind,
        match_change.rung,
        match_change.charge_id as other,
        null as evidence_sha256
    from match_change
    where match_change.change = 'begun'
        and match_change.order_id = :'id'::text
    union all
    select
        1, 'matched by ' || match_change.rung || ' with order ' || match_change.order_id, 'match', match_change.rung,
        match_change.order_id, null
    from match_change
    where match_change.change = 'begun'
        and match_change.charge_id = :'id'::text
    union all
    select
        2,
        'no match, ' || match_refused.class || ' on rung ' || match_refused.rung
            || coalesce(', charge ' || match_refused.charge_id, '')
            || coalesce(', evidence ' || encode(match_refused.evidence_sha256, 'hex'), '')
            || coalesce(', held by order ' || match_refused.counterpart, ''),
        'refused',
        match_refused.rung,
        match_refused.charge_id,
        encode(match_refused.evidence_sha256, 'hex')
    from match_refused
    where match_refused.order_id = :'id'::text
    union all
    select
        2 + match_ambiguous.rank,
        'no match by itself, candidate ' || match_ambiguous.rank || ' of charge ' || match_ambiguous.charge_id,
        'candidate', 'M7', match_ambiguous.charge_id, null
    from match_ambiguous
    where match_ambiguous.order_id = :'id'::text
    union all
    select
        2 + match_ambiguous.rank,
        'no order by itself, candidate ' || match_ambiguous.rank || ' is order ' || match_ambiguous.order_id,
        'candidate', 'M7', match_ambiguous.order_id, null
    from match_ambiguous
    where match_ambiguous.charge_id = :'id'::text
)
select
    'not decided yet: match has not run on these facts and settings; its next run decides: ' || text, kind, rung, other,
    evidence_sha256
from decision
order by place, other;
