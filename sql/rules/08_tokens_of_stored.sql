-- purpose: chains that carry a token, from the index of transactions, and tokens that users share, from the table that match
--          runs keep.
-- grain:   rule_token_chain one row per transaction with a token; rule_shared_token one row per token
create temp view rule_token_chain as
select app_account_token, original_transaction_id
from transactions;
create temp view rule_shared_token as
select app_account_token
from shared_tokens;
