-- purpose: the named chains' charges as they stood at the clock that is asked for.
-- grain:   one row per charge
insert into pg_temp.summed_charges (
    original_transaction_id, charge_id, bundle_id, environment, currency, state, price_milliunits, refunded_milliunits, purchased_at,
    revoked_at, reversed_at
)
select
    told.original_transaction_id, told.charge_id, told.bundle_id, told.environment, told.currency, told.state, told.price_milliunits,
    told.refunded_milliunits, told.purchased_at, told.revoked_at, told.reversed_at
from payrecon.charges_at(payrecon.viewed_at()) as told
where told.original_transaction_id = any(array(select sums_chain.chain from sums_chain));
