-- purpose: users, with accounts merged into them, that have enough purchases for the rules that count purchases.
-- parameters: as_of (timestamptz), lookback (interval), purchases_min (bigint)
-- grain:   one row per user
insert into rule_interest (user_id)
with bought as (
    select orders.user_id, coalesce(min(rule_person.person), orders.user_id) as person, count(*) as order_count
    from in_orders as orders
    left join rule_person on rule_person.user_id = orders.user_id
    where orders.created_at >= :'as_of'::timestamptz - :'lookback'::interval
        and orders.environment = 'Production'
        and orders.status not in ('created', 'cancelled')
    group by orders.user_id
),
counted as (
    select bought.user_id, sum(bought.order_count) over (partition by bought.person) as order_count
    from bought
    where bought.order_count >= :'purchases_min'::bigint
        or bought.person <> bought.user_id
)
select counted.user_id
from counted
where counted.order_count >= :'purchases_min'::bigint;
