-- purpose: charges of the selected chains as of the report's clock.
-- grain:   one row per charge
insert into pg_temp.summed_charges (
    original_transaction_id, charge_id, bundle_id, environment, currency, state, price_milliunits, refunded_milliunits, purchased_at,
    revoked_at, reversed_at
)
select
    known.original_transaction_id, known.charge_id, known.bundle_id, known.environment, known.currency, known.state, known.price_milliunits,
    known.refunded_milliunits, known.purchased_at, known.revoked_at, known.reversed_at
from payrecon.charges_among(payrecon.viewed_at(), array(select sums_chain.chain from sums_chain)) as known;
