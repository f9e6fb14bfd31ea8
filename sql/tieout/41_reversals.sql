-- purpose: refunds that Apple reversed, unit by unit. A refund has its newest instant, its reversal the instant of the first
--          signature without it. Partial refunds count only in whole units.
-- grain:   tie_reversal one row per reversed unit of a charge, with the days of the refund and of the reversal
create temp table tie_reversal on commit drop as
with reversed as materialized (
    select
        charges.original_transaction_id, charges.bundle_id, charges.charge_id, charges.transaction_ids, charges.product_id as sku,
        tie_offset.country, tie_offset.zone, coalesce(charges.currency, '') as currency, charges.price_milliunits, charges.quantity,
        (charges.reversed_at at time zone tie_offset.zone)::date as reversed_on
    from charges
    cross join tie_run
    inner join tie_offset on tie_offset.storefront = coalesce(charges.storefront, '')
    where charges.reversed_at is not null
        and charges.reversed_at >= tie_run.day_from - 60
        and charges.reversed_at <= tie_run.as_of
        and charges.environment = 'Production'
        and charges.state = 'charged'
        and charges.price_milliunits > 0
),
refund as materialized (
    select distinct on (transactions.original_transaction_id, reversed.charge_id)
        transactions.original_transaction_id, reversed.charge_id, transactions.revoked_at,
        refunded_milliunits(
            reversed.price_milliunits, transactions.revocation_percentage, reversed.currency, transactions.items_refunded_milliunits
        ) as milliunits
    from reversed
    inner join transactions using (original_transaction_id, bundle_id)
    inner join batches on batches.batch_id = transactions.batch_id
    cross join tie_run
    where transactions.environment = 'Production'
        and transactions.transaction_id = any(reversed.transaction_ids)
        and transactions.revoked_at is not null
        and batches.known_at <= tie_run.as_of
    order by
        transactions.original_transaction_id, reversed.charge_id, transactions.signed_at desc, transactions.evidence_sha256 desc
)
select
    reversed.charge_id, part.number, reversed.sku, reversed.country, reversed.currency, reversed.reversed_on,
    unit_price(reversed.price_milliunits, reversed.quantity, reversed.currency) as price,
    (refund.revoked_at at time zone reversed.zone)::date as refunded_on
from reversed
inner join refund using (original_transaction_id, charge_id)
cross join lateral generate_series(1, refund.milliunits * reversed.quantity / reversed.price_milliunits) as part (number)
where refund.milliunits * reversed.quantity % reversed.price_milliunits = 0;
