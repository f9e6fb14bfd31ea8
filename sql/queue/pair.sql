-- purpose: whether the order and charge of a decision exist and have the same app and environment.
-- parameters: order_id, charge_id (text)
-- grain:   one row; none if neither exists
with ordered as materialized (
    select orders.bundle_id, orders.environment from orders where orders.order_id = :'order_id'::text
),
charged as materialized (
    select charges.bundle_id, charges.environment from charges where charges.charge_id = :'charge_id'::text
)
select
    ordered.bundle_id is not null as has_order, charged.bundle_id is not null as has_charge,
    coalesce((ordered.bundle_id, ordered.environment) = (charged.bundle_id, charged.environment), false) as is_one_app
from ordered
full join charged on true;
