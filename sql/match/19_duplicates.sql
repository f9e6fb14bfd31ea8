-- purpose: open orders that compete for no other purchase: those that name a charge which another order was granted
--          (match_duplicate), and, on the rungs below that of their claim, those whose claim is refused (match_refused_order), or is no
--          purchase of ours at all: what they name is what they were delivered for. What two people decided does not belong together
--          is no such claim; nor is what names the subscription alone. An old purchase of another product says nothing of a token, and
--          bars the order only below M2.
-- parameters: skew (interval)
-- grain:   one row per order
with emptied as (
    delete from match_duplicate
),
forgotten as (
    delete from match_refused_order
),
claim as (
    select match_candidate.*, match_order.user_id
    from match_candidate
    inner join match_order on match_order.order_id = match_candidate.order_id
    where match_candidate.rung in (select rungs.rung from rungs where rungs.is_claim)
        and not exists (select 1 from match_decided where match_decided.order_id = match_candidate.order_id)
),
refused as (
    insert into match_refused_order (order_id, rung)
    select told.order_id, min(told.rung)
    from (
        select
            claim.order_id,
            case
                when claim.refusal = 'PRODUCT_DIFF' and claim.purchased_at < claim.created_at - :'skew'::interval
                    then greatest(claim.rung, 'M2')
                else claim.rung
            end
        from claim
        where claim.refusal not in ('UNMATCHED', 'OTHER_PERIOD')
        union all
        select match_unproven.order_id, match_unproven.rung
        from match_unproven
        where not exists (select 1 from match_decided where match_decided.order_id = match_unproven.order_id)
    ) as told (order_id, rung)
    group by told.order_id
)
insert into match_duplicate (order_id)
select distinct claim.order_id
from claim
inner join match_decided as holding on holding.charge_id = claim.charge_id
inner join match_order as holder on holder.order_id = holding.order_id
where is_duplicate_claim(claim.refusal, claim.user_id, holder.user_id)
    and holder.order_id <> claim.order_id;
