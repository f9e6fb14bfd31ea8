-- purpose: once a chain's owner is known, what orders of other users name on it is refused; a token speaks for itself.
-- grain:   one candidate
update match_candidate
set refusal = 'USER_DIFF'
from match_charge
inner join match_order on match_order.user_id <> match_charge.owner
where coalesce(match_candidate.refusal, 'PRODUCT_DIFF') in ('PRODUCT_DIFF', 'LATE_VERIFICATION')
    and match_candidate.rung in ('M1', 'M3', 'M5')
    and match_charge.type = 'auto_renewable'
    and match_candidate.charge_id = match_charge.charge_id
    and match_candidate.order_id = match_order.order_id;
