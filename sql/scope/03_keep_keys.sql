-- purpose: writes new keys, and the tokens that users share.
-- grain:   one row per key and fact, and per token
insert into component_keys (key, kind, side, id)
select key, kind, side, id
from scope_new_key
order by key, kind, side, id
on conflict do nothing;
insert into shared_tokens (app_account_token)
select distinct scope_new_key.key
from scope_new_key
inner join user_tokens
    on user_tokens.app_account_token = scope_new_key.key
    and user_tokens.user_id <> scope_new_key.id
where scope_new_key.kind = 'token'
    and scope_new_key.side = 'user'
order by scope_new_key.key
on conflict do nothing;
