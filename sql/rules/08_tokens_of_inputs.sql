-- purpose: chains that carry a token, and tokens that users share, from the inputs of a run over all rows.
-- grain:   rule_token_chain one row per charge with a token; rule_shared_token one row per token
create temp view rule_token_chain as
select app_account_token, original_transaction_id
from in_charges
where app_account_token is not null;
-- Answered from the index alone.
create temp view rule_shared_token as
select app_account_token
from in_user_tokens
group by app_account_token
having count(*) > 1;
