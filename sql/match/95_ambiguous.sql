-- purpose: rung M7: charges that more than one pairing fits, with their candidates ranked: carts last, then by time distance.
-- grain:   one row per charge and candidate order
create temp table match_ambiguous on commit drop as
select
    match_heuristic.original_transaction_id,
    match_heuristic.charge_id,
    match_heuristic.order_id,
    match_heuristic.contributions,
    row_number() over (
        partition by match_heuristic.charge_id
        order by match_order.standing desc, match_heuristic.distance, match_heuristic.order_id
    )::integer as rank
from match_heuristic
inner join match_order on match_order.order_id = match_heuristic.order_id
where not exists (select 1 from match_decided where match_decided.charge_id = match_heuristic.charge_id)
    and not exists (select 1 from match_decided where match_decided.order_id = match_heuristic.order_id);
