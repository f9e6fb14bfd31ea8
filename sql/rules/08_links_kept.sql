-- purpose: who is reached by a user, a token or a device, as match runs keep it; links of replaced versions are among them.
-- grain:   one row per link
create temp view rule_link as
select key, kind, side, id
from reach_keys;
