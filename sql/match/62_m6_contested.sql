-- purpose: the pairs that are not the only candidate, where one user's orders and charges contend among themselves; what
--          reaches orders of a second user, or more partners than anybody assigns, is out, and taints whom it touches. A
--          paid or delivered order outranks another user's carts.
-- parameters: count_max (bigint): most partners of one order or charge
-- grain:   one row per order and charge that would fit
create temp table match_contested on commit drop as
with counted as (
    select
        match_heuristic.*,
        match_order.user_id,
        match_order.standing = 2 as is_standing,
        count(*) over (partition by match_heuristic.charge_id) as order_count,
        count(*) over (partition by match_heuristic.order_id) as charge_count,
        bool_or(match_order.standing = 2) over (partition by match_heuristic.charge_id) as has_standing,
        bool_or(match_order.standing = 2) over (
            partition by match_heuristic.charge_id, match_order.user_id
        ) as has_own_standing
    from match_heuristic
    inner join match_order on match_order.order_id = match_heuristic.order_id
),
contending as (
    select
        counted.*,
        min(user_id) over (partition by charge_id) as first_user,
        max(user_id) over (partition by charge_id) as last_user
    from counted
    where (order_count > 1 or charge_count > 1)
        and (has_own_standing or not has_standing)
),
judged as (
    select
        contending.*,
        first_user <> last_user or order_count > :'count_max'::bigint or charge_count > :'count_max'::bigint as is_out
    from contending
),
tainted as (
    select
        judged.*,
        bool_or(is_out) over (partition by charge_id) or bool_or(is_out) over (partition by order_id) as is_tainted
    from judged
)
select
    dense_rank() over (order by user_id) as place,
    order_id,
    charge_id,
    original_transaction_id,
    (extract(epoch from distance) * 1000000)::bigint as distance,
    is_standing,
    is_tainted
from tainted
where not is_out;
