-- purpose: whose each token is, as token_owners says: the user's who ever held it, when that is one user; else, when no user
--          did, the one user's whose orders carry it. A part of all facts holds every user and order of its tokens.
-- grain:   one row per token that leads to exactly one user
insert into match_token_owner (token, user_id, is_held)
select user_tokens.app_account_token, min(user_tokens.user_id), true
from in_user_tokens as user_tokens
group by user_tokens.app_account_token
having min(user_tokens.user_id) = max(user_tokens.user_id)
union all
select match_token_order.token, match_token_order.first_user, false
from match_token_order
where match_token_order.first_user = match_token_order.last_user
    and not exists (
        select 1 from in_user_tokens as user_tokens where user_tokens.app_account_token = match_token_order.token
    );
