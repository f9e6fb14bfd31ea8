-- purpose: open orders that name a charge which another order was granted: they compete for no other purchase.
-- grain:   one row per order
with emptied as (
    delete from match_duplicate
)
insert into match_duplicate (order_id)
select distinct match_order.order_id
from match_candidate
inner join match_order on match_order.order_id = match_candidate.order_id
inner join match_decided as holding on holding.charge_id = match_candidate.charge_id
inner join match_order as holder on holder.order_id = holding.order_id
where match_candidate.rung in (select rungs.rung from rungs where rungs.is_claim)
    and is_duplicate_claim(match_candidate.refusal, match_order.user_id, holder.user_id)
    and holder.order_id <> match_order.order_id
    and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id);
