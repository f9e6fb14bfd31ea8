-- purpose: clears the final state of given-up receipts, so that the next collection sends them to verifyReceipt again.
-- parameters: hashes (text[]): of the receipts
-- grain:   one row per receipt
update collections
set
    cursor = null,
    collected_to = null
where job = 'receipts'
    and subject = any(:'hashes'::text[]);
