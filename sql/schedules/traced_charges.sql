-- purpose: every charge with the facts from which its schedule is made and the evidence that first stated its price; rows
--          behind figures of revenue and journal.
-- parameters: none; rows/set_viewed.sql sets the clock
-- grain:   one row per Production charge, ordered by chain
-- rules:   functions/reports/scheduled_charges.sql
with priced as (
    select
        transactions.original_transaction_id, coalesce(charge_aliases.charge_id, transactions.charge_id) as charge_id,
        (array_agg(transactions.evidence_sha256 order by batches.known_at, transactions.evidence_sha256))[1] as evidence_sha256
    from transactions
    inner join batches on batches.batch_id = transactions.batch_id
    left join charge_aliases
        on charge_aliases.original_transaction_id = transactions.original_transaction_id
        and charge_aliases.stated_id = transactions.charge_id
    where transactions.environment = 'Production'
        and transactions.price_milliunits is not null
    group by transactions.original_transaction_id, coalesce(charge_aliases.charge_id, transactions.charge_id)
)
select encode(priced.evidence_sha256, 'hex') as evidence_sha256, entry.*
from payrecon.scheduled_charges() as entry
left join priced using (original_transaction_id, charge_id)
order by
    entry.bundle_id collate "C", entry.original_transaction_id collate "C", entry.purchased_at, entry.charge_id collate "C";
