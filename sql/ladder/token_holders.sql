-- purpose: the users that ever held a token.
-- grain:   one row per token and user
select distinct app_account_token, user_id
from in_user_tokens;
