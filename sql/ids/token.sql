-- purpose: app account tokens that a text is, or begins; a whole id comes first
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select known.id
from (
    select user_tokens.app_account_token
    from user_tokens
    where user_tokens.app_account_token >= :'prefix'::text
        and user_tokens.app_account_token < :'prefix'::text || chr(1114111)
    union
    select begun.key from keys_beginning(:'prefix'::text, 'token', :'rows'::bigint) as begun (key)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
