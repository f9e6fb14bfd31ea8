-- purpose: loads the charges, orders and matches of the selected chains and orders as of the report's clock.
-- grain:   one row per charge, order and match
truncate pg_temp.summed_charges, pg_temp.summed_orders, pg_temp.summed_matches;
insert into pg_temp.summed_charges (
    original_transaction_id, charge_id, bundle_id, environment, currency, state, price_milliunits, refunded_milliunits, purchased_at,
    revoked_at, reversed_at
)
select
    known.original_transaction_id, known.charge_id, known.bundle_id, known.environment, known.currency, known.state, known.price_milliunits,
    known.refunded_milliunits, known.purchased_at, known.revoked_at, known.reversed_at
from payrecon.charges_among(payrecon.viewed_at(), array(select sums_chain.chain from sums_chain)) as known;
insert into pg_temp.summed_orders (
    order_id, bundle_id, environment, currency, status, price_milliunits, created_at, paid_at, delivered_at
)
select
    known.order_id, known.bundle_id, known.environment, known.currency, known.status, known.price_milliunits, known.created_at,
    known.paid_at, known.delivered_at
from payrecon.orders_at(payrecon.viewed_at()) as known
where known.order_id = any(array(select sums_order.order_id from sums_order));
insert into pg_temp.summed_matches (original_transaction_id, charge_id, order_id, confidence)
select match.original_transaction_id, match.charge_id, match.order_id, match.confidence
from payrecon.matches_at(payrecon.viewed_at()) as match
where match.original_transaction_id = any(array(select sums_chain.chain from sums_chain));
analyze pg_temp.summed_charges, pg_temp.summed_orders, pg_temp.summed_matches;
