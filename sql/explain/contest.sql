-- purpose: the orders and charges that a charge contends with, directly or through others, and that nobody decided between.
-- parameters: charge_id (text)
-- grain:   one row per order and charge; none when the charge is not ambiguous
with recursive contest as (
    select ambiguous_candidates.charge_id, ambiguous_candidates.order_id
    from ambiguous_candidates
    where ambiguous_candidates.charge_id = :'charge_id'::text
    union
    select ambiguous_candidates.charge_id, ambiguous_candidates.order_id
    from contest
    inner join ambiguous_candidates
        on ambiguous_candidates.charge_id = contest.charge_id
        or ambiguous_candidates.order_id = contest.order_id
)
select
    contest.order_id,
    contest.charge_id,
    orders.status not in ('created', 'cancelled') or orders.paid_at is not null or orders.delivered_at is not null
        as is_standing,
    orders.user_id
from contest
inner join orders on orders.order_id = contest.order_id
order by contest.order_id, contest.charge_id;
