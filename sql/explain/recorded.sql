-- purpose: the recorded decisions on the orders and charges at hand.
-- grain:   one row per match, refused claim and ambiguous candidate
select 'match' as kind, order_id, charge_id, rung, null as class, null as evidence, null as holder, null::bigint as rank
from in_matches
union all
select 'refused', order_id, charge_id, rung, class, encode(evidence_sha256, 'hex'), counterpart, null
from in_refused_claims
union all
select 'ambiguous', order_id, charge_id, 'M7', null, null, null, rank::bigint
from in_ambiguous_candidates;
