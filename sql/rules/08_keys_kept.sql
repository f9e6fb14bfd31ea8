-- purpose: which chains carry a token, by the index of the transactions, and which tokens users share, as match runs note it.
-- parameters: none
-- grain:   rule_token_chain as often as transactions tell it; rule_shared_token one row per token
create temp view rule_token_chain as
select app_account_token, original_transaction_id
from transactions;
create temp view rule_shared_token as
select app_account_token
from shared_tokens;
