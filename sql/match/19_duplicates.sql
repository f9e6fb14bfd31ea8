-- purpose: open orders whose claim another order of the same user was granted: delivered twice, they compete for no other
--          purchase.
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
where rung_is_claim(match_candidate.rung)
    and coalesce(match_candidate.refusal, 'LATE_VERIFICATION') = 'LATE_VERIFICATION'
    and holder.user_id = match_order.user_id
    and holder.order_id <> match_order.order_id
    and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id);
