-- purpose: what two people decided does not belong together is refused on every rung, and no difference by itself.
-- grain:   one candidate
update match_candidate
set refusal = 'UNMATCHED'
from match_decision
where match_decision.action = 'unmatch'
    and match_decision.order_id = match_candidate.order_id
    and match_decision.charge_id = match_candidate.charge_id
    and match_candidate.refusal is distinct from 'UNMATCHED';
