-- purpose: records the signed observations of transactions.
-- parameters: none
-- grain:   one row per fresh piece of evidence that decodes to a transaction
insert into transactions
select distinct on (staged_transaction.original_transaction_id, staged_transaction.charge_id, staged_transaction.evidence_sha256)
    staged_transaction.*
from staged_transaction
inner join fresh_evidence on fresh_evidence.sha256 = staged_transaction.evidence_sha256
order by
    staged_transaction.original_transaction_id, staged_transaction.charge_id, staged_transaction.evidence_sha256
on conflict do nothing;
