-- purpose: The charges, orders and matches that fact_rows() reads: all of them. A night that updates report_sums creates
--          tables of these names for some of them, at two clocks (sql/sums); payrecon_past has those of the past.
-- grain:   one row per charge, order and match
create or replace view payrecon.summed_charges with (security_invoker = true) as
select
    charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.environment, charges.currency, charges.state,
    charges.price_milliunits, charges.refunded_milliunits, charges.purchased_at, charges.revoked_at, charges.reversed_at
from payrecon.charges;

create or replace view payrecon.summed_orders with (security_invoker = true) as
select
    orders.order_id, orders.bundle_id, orders.environment, orders.currency, orders.status, orders.price_milliunits, orders.created_at,
    orders.paid_at, orders.delivered_at
from payrecon.orders;

create or replace view payrecon.summed_matches with (security_invoker = true) as
select matches.original_transaction_id, matches.charge_id, matches.order_id, matches.confidence
from payrecon.matches;
