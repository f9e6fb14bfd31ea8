-- purpose: the orders and charges that a charge contends with, directly or through others, and that nobody decided between.
-- parameters: charge_id (text)
-- grain:   one row per order and charge; none when the charge is not ambiguous
with candidate as materialized (
    select ambiguous_candidates.charge_id, ambiguous_candidates.order_id from ambiguous_candidates
),
contest as materialized (
    with recursive reached as (
        select candidate.charge_id, candidate.order_id
        from candidate
        where candidate.charge_id = :'charge_id'::text
        union
        select candidate.charge_id, candidate.order_id
        from reached
        inner join candidate
            on candidate.charge_id = reached.charge_id
            or candidate.order_id = reached.order_id
    )
    select reached.charge_id, reached.order_id from reached
)
select
    contest.order_id,
    contest.charge_id,
    order_standing(orders.status, orders.paid_at, orders.delivered_at) = 2 as is_standing,
    orders.user_id
from contest
inner join orders on orders.order_id = contest.order_id
order by contest.order_id, contest.charge_id;
