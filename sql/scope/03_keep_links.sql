-- purpose: writes new links, and the tokens that users share.
-- grain:   one row per link, and per token
insert into reach_keys (key, kind, side, id)
select key, kind, side, id
from scope_new_link
order by key, kind, side, id
on conflict do nothing;
insert into shared_tokens (app_account_token)
select distinct scope_new_link.key
from scope_new_link
inner join user_tokens
    on user_tokens.app_account_token = scope_new_link.key
    and user_tokens.user_id <> scope_new_link.id
where scope_new_link.kind = 'token'
    and scope_new_link.side = 'user'
order by scope_new_link.key
on conflict do nothing;
