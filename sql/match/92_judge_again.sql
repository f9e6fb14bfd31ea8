-- purpose: once a chain's owner is known, what orders claim on it is judged again: of another user it is refused, a late
--          renewal of the owner's is not; and a token says nothing against the owner.
-- parameters: late (interval)
-- grain:   one candidate whose refusal changes
update match_candidate
set refusal = judged.refusal
from (
    select
        claim.rung,
        claim.order_id,
        claim.charge_id,
        case
            when claim.rung = 'M1'
                and match_order.period_transaction_id is null
                and coalesce(match_charge.owner, match_order.user_id) = match_order.user_id then 'OTHER_PERIOD'
            when claim.rung <> 'M2'
                then claim_refusal(
                    match_order.bundle_id, match_order.environment, match_order.product_id, match_order.user_id,
                    match_order.created_at, match_charge.bundle_id, match_charge.environment,
                    match_charge.product_id, match_charge.owner, match_charge.purchased_at, match_charge.is_renewal,
                    :'late'::interval
                )
            when match_charge.chain_owner <> match_order.user_id then 'USER_DIFF'
        end as refusal
    from match_candidate as claim
    inner join match_charge on match_charge.charge_id = claim.charge_id
    inner join match_order on match_order.order_id = claim.order_id
    where match_charge.chain_told_by is not null
        and (claim.rung = 'M2' or claim.rung in (select rungs.rung from rungs where rungs.is_claim))
) as judged
where judged.rung = match_candidate.rung
    and judged.order_id = match_candidate.order_id
    and judged.charge_id = match_candidate.charge_id
    and match_candidate.refusal is distinct from 'UNMATCHED'
    and match_candidate.refusal is distinct from judged.refusal;
