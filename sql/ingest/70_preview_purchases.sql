-- purpose: when Apple's transactions were bought, beside which the times of a file are checked.
-- parameters: transaction_ids (text[])
-- grain:   one row per transaction id
select transaction_id, min(purchased_at) as purchased_at
from transactions
where transaction_id = any(:'transaction_ids'::text[])
group by transaction_id;
