-- purpose: why nobody decided between the orders and charges that a charge contends with.
-- parameters: charge_id (text)
-- grain:   one row, or none when the charge is not ambiguous
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
),
counted as (
    select
        count(distinct contest.order_id) as order_count,
        count(distinct contest.charge_id) as charge_count,
        count(distinct orders.user_id) as user_count
    from contest
    inner join orders on orders.order_id = contest.order_id
)
select 'M7: ' || case
        when user_count > 1 then 'orders of ' || user_count || ' users fit, and time does not tell who of them paid'
        when order_count <> charge_count
            then order_count || case order_count when 1 then ' order' else ' orders' end || ' and ' || charge_count
                || case charge_count when 1 then ' charge' else ' charges' end
                || ' fit each other, and time does not tell who is left over'
        else order_count || ' orders and as many charges fit each other, and the least total time distance is not that of'
            || ' one assignment alone'
    end
from counted
where order_count > 0;
