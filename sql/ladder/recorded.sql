-- purpose: the recorded decisions as lines, to compare them with what the ladder decides.
-- grain:   one row per match, refused claim, second charge and ambiguous candidate
select 'match ' || order_id || ' ' || charge_id || ' ' || rung as line
from in_matches
union all
select
    'refused ' || order_id || ' ' || class || ' ' || rung || ' ' || coalesce(charge_id, '-') || ' '
    || coalesce(encode(evidence_sha256, 'hex'), '-') || ' ' || coalesce(counterpart, '-')
    || case when is_explicit then ' explicit' else '' end
from in_refused_claims
union all
select 'second ' || charge_id || ' ' || order_id
from in_second_charges
union all
select 'ambiguous ' || charge_id || ' ' || order_id || ' ' || rank || ' ' || contributions
from in_ambiguous_candidates;
