-- purpose: who is reached by a user, a token or a device, and which tokens users share, as match runs keep it; links of
--          replaced versions are among them.
-- grain:   one row per link, and per token
create temp view rule_link as
select key, kind, side, id
from reach_keys;
create temp view rule_shared_token as
select app_account_token
from shared_tokens;
