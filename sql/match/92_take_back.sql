-- purpose: takes back what was granted on a chain before its owner was known: two users cannot both own a subscription.
-- grain:   one match taken back
delete from match_decided
using match_candidate
where match_candidate.order_id = match_decided.order_id
    and match_candidate.charge_id = match_decided.charge_id
    and match_candidate.rung = match_decided.rung
    and match_candidate.refusal = 'USER_DIFF';
