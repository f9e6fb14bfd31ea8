-- purpose: who is reached by a user, a token or a device, and which tokens users share, as match runs keep it; keys of
--          replaced versions are among them.
-- grain:   one row per key and fact, and per token
create temp view rule_key as
select key, kind, side, id
from component_keys;
create temp view rule_shared_token as
select app_account_token
from shared_tokens;
