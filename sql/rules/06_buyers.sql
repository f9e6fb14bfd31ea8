-- purpose: users with enough purchases for the rules that count purchases.
-- parameters: as_of (timestamptz), lookback (interval), purchases_min (bigint)
-- grain:   one row per user
create temp table rule_buyer on commit drop as
-- Users with so many orders of any kind. An index is enough to count these.
with frequent as (
    select orders.user_id
    from in_orders as orders
    group by orders.user_id
    having count(*) >= :'purchases_min'::bigint
)
select orders.user_id
from frequent
inner join in_orders as orders on orders.user_id = frequent.user_id
where orders.created_at >= :'as_of'::timestamptz - :'lookback'::interval
    and orders.environment = 'Production'
    and orders.status not in ('created', 'cancelled')
group by orders.user_id
having count(*) >= :'purchases_min'::bigint;
