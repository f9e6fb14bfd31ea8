-- purpose: whether the order and charge of a decision exist and have the same app and environment.
-- parameters: order_id, charge_id (text)
-- grain:   one row
with ordered as materialized (
    select orders.bundle_id, orders.environment from orders where orders.order_id = :'order_id'::text
),
charged as materialized (
    select charges.bundle_id, charges.environment from charges where charges.charge_id = :'charge_id'::text
)
select
    exists (select 1 from ordered) as has_order,
    exists (select 1 from charged) as has_charge,
    coalesce(
        (
            select bool_and(ordered.bundle_id = charged.bundle_id and ordered.environment = charged.environment)
            from ordered
            cross join charged
        ), false
    ) as is_one_app;
