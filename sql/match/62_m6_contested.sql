-- purpose: the pairs that are not the only candidate, where one user's orders and charges contend among themselves; what
--          reaches orders of a second user, or more partners than anybody assigns, is out, and taints whom it touches.
-- parameters: count_max (bigint): most partners of one order or charge
-- grain:   one row per order and charge that would fit
create temp table match_contested on commit drop as
with counted as (
    select
        match_heuristic.*,
        match_order.user_id,
        count(*) over (partition by match_heuristic.charge_id) as order_count,
        count(*) over (partition by match_heuristic.order_id) as charge_count,
        min(match_order.user_id) over (partition by match_heuristic.charge_id) as first_user,
        max(match_order.user_id) over (partition by match_heuristic.charge_id) as last_user
    from match_heuristic
    inner join match_order on match_order.order_id = match_heuristic.order_id
),
judged as (
    select
        counted.*,
        first_user <> last_user or order_count > :'count_max'::bigint or charge_count > :'count_max'::bigint as is_out
    from counted
    where order_count > 1
        or charge_count > 1
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
    is_tainted
from tainted
where not is_out;
