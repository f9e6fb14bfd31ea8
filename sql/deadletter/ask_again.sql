-- purpose: forgets that verifyReceipt gave receipts up, so that the next collection asks about them again.
-- parameters: hashes (text[]): of the receipts
-- grain:   one row per receipt
update collections
set
    cursor = null,
    collected_to = null
where job = 'receipts'
    and subject = any(:'hashes'::text[]);
