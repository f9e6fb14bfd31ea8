-- purpose: app account tokens that a text is, or begins; a whole id comes first. Until match runs keep keys, the facts
--          themselves are gone through.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
with kept as (
    select coalesce(bool_or(match_state.has_keys), false) as has_keys
    from match_state
    where match_state.name = 'match'
)
select known.id
from (
    select user_tokens.app_account_token
    from user_tokens
    where user_tokens.app_account_token >= :'prefix'::text
        and user_tokens.app_account_token < :'prefix'::text || chr(1114111)
    union
    select component_keys.key
    from component_keys
    where component_keys.key >= :'prefix'::text
        and component_keys.key < :'prefix'::text || chr(1114111)
        and component_keys.kind = 'token'
    union
    select orders.app_account_token
    from orders
    where orders.app_account_token >= :'prefix'::text
        and orders.app_account_token < :'prefix'::text || chr(1114111)
        and not (select kept.has_keys from kept)
    union
    select transactions.app_account_token
    from transactions
    where transactions.app_account_token >= :'prefix'::text
        and transactions.app_account_token < :'prefix'::text || chr(1114111)
        and not (select kept.has_keys from kept)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
