-- purpose: whose each token is.
-- parameters: is_part (boolean): whether the inputs are a part of all facts, which holds all that bears on itself
-- grain:   one row per token that leads to exactly one user
insert into match_token_owner (token, user_id, is_held)
select token, user_id, is_held
from token_owners(
    case
        when :'is_part'::boolean then array(
            select app_account_token from in_user_tokens
            union
            select app_account_token from in_orders where app_account_token is not null
        )
    end
);
