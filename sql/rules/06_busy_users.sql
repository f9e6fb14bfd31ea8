-- purpose: users of interest by number of purchases; merged accounts count together.
-- parameters: as_of (timestamptz), lookback (interval), purchases_min (bigint)
-- grain:   one row per user
insert into rule_interest (user_id)
-- Users with so many orders of any kind. An index is enough to count these.
with frequent as (
    select orders.user_id
    from in_orders as orders
    group by orders.user_id
    having count(*) >= :'purchases_min'::bigint
),
merged as (
    select rule_person.user_id, sum(count(*)) over (partition by rule_person.person) as order_count
    from rule_person
    inner join in_orders as orders on orders.user_id = rule_person.user_id
    where rule_person.person <> rule_person.user_id
        and orders.created_at >= :'as_of'::timestamptz - :'lookback'::interval
        and orders.environment = 'Production'
        and orders.status not in ('created', 'cancelled')
    group by rule_person.user_id, rule_person.person
)
select orders.user_id
from frequent
inner join in_orders as orders on orders.user_id = frequent.user_id
where orders.created_at >= :'as_of'::timestamptz - :'lookback'::interval
    and orders.environment = 'Production'
    and orders.status not in ('created', 'cancelled')
group by orders.user_id
having count(*) >= :'purchases_min'::bigint
union
select merged.user_id
from merged
where merged.order_count >= :'purchases_min'::bigint;
