-- purpose: app account tokens that equal a text or start with it, in any letter case; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
with stored as (select token_text(:'prefix'::text) as prefix)
select known.id
from (
    select user_tokens.app_account_token
    from stored
    inner join user_tokens
        on user_tokens.app_account_token >= stored.prefix
        and user_tokens.app_account_token < stored.prefix || chr(1114111)
    union
    select matching.key
    from stored
    cross join lateral keys_beginning(stored.prefix, 'token', :'rows'::bigint) as matching (key)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
