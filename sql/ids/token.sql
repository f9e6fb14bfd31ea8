-- purpose: app account tokens that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select known.id
from (
    select user_tokens.app_account_token
    from user_tokens
    where user_tokens.app_account_token >= :'prefix'::text
        and user_tokens.app_account_token < :'prefix'::text || chr(1114111)
    union
    select matching.key from keys_beginning(:'prefix'::text, 'token', :'rows'::bigint) as matching (key)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
