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
told as (
    select
        contest.charge_id,
        contest.order_id,
        orders.user_id,
        orders.status not in ('created', 'cancelled') or orders.paid_at is not null or orders.delivered_at is not null
            as is_standing
    from contest
    inner join orders on orders.order_id = contest.order_id
),
ranked as (
    select told.*, bool_or(is_standing) over (partition by charge_id) as has_standing
    from told
),
counted as (
    select
        count(*) as pair_count,
        count(distinct user_id) as user_count,
        count(distinct order_id) > count(distinct charge_id) as has_spare
    from ranked
),
-- Where there are more orders than charges, a paid or delivered order goes before the carts at its charge.
kept as (
    select ranked.charge_id, ranked.order_id
    from ranked
    cross join counted
    where not counted.has_spare
        or ranked.is_standing
        or not ranked.has_standing
),
part as (
    select kept.charge_id, kept.order_id
    from kept
    where kept.charge_id = :'charge_id'::text
    union
    select kept.charge_id, kept.order_id
    from part
    inner join kept
        on kept.charge_id = part.charge_id
        or kept.order_id = part.order_id
),
parted as (
    select
        count(distinct part.order_id) as order_count,
        count(distinct part.charge_id) as charge_count,
        count(*) as pair_count
    from part
)
select 'M7: ' || case
        when user_count > 1 then 'orders of ' || user_count || ' users fit, and time does not tell who of them paid'
        else case
                when parted.pair_count < counted.pair_count
                    then 'a paid or delivered order goes before carts, and of what is left '
                else ''
            end
            || order_count || case order_count when 1 then ' order' else ' orders' end || ' and '
            || case when order_count = charge_count then 'as many' else charge_count::text end
            || case when charge_count = 1 and order_count <> 1 then ' charge' else ' charges' end
            || ' fit each other, and time does not tell '
            || case when order_count = charge_count then 'which belongs to which' else 'who is left over' end
    end
from parted
cross join counted
where order_count > 0;
