-- purpose: orders of a customer with their outcome: the charge that pays each, and the classes of its open breaks; newest
--          first.
-- parameters: order_ids (text[]), rows (bigint)
-- grain:   one row per order
with placed as materialized (
    select orders.* from unnest(:'order_ids'::text[]) as wanted (order_id) inner join orders on orders.order_id = wanted.order_id
),
finding as (
    select break_events.order_id, string_agg(distinct break_events.class, ' ') as classes
    from open_break_events as break_events
    where break_events.order_id = any(:'order_ids'::text[])
    group by break_events.order_id
),
paired as materialized (
    select matched_orders.order_id, matched_orders.charge_id
    from placed
    inner join matched_orders on matched_orders.order_id = placed.order_id
)
select
    placed.order_id, placed.status, finding.classes as about, placed.product_id || ' x ' || placed.quantity as product_id,
    money_text(placed.price_milliunits, placed.currency) as price, rfc3339(placed.created_at) as created_at,
    rfc3339(placed.delivered_at) as delivered_at, rfc3339(placed.refunded_at) as refunded_at, paired.charge_id, placed.device_id,
    nullif(placed.environment, 'Production') as environment
from placed
left join finding on finding.order_id = placed.order_id
left join paired on paired.order_id = placed.order_id
order by placed.created_at desc, placed.order_id
limit :'rows'::bigint;
