-- purpose: the verdict on an evidence item, with its reason.
-- parameters: sha256 (text): its hash in hexadecimal
-- grain:   one row, or none
select evidence.verdict, evidence.reason, evidence.kind, evidence.environment, evidence.bundle_id, evidence.transaction_id,
    evidence.source, rfc3339(evidence.received_at) as received_at
from judged_evidence as evidence
where evidence.sha256 = hash_of_letters(:'sha256'::text);
