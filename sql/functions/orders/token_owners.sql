-- purpose: Returns the owner of each token: the only user that ever held it. If no user did, it is the only user whose
--          orders carry it. A token of several users has no owner and no row. A null selects all tokens. Reads the
--          user_tokens and orders of the present or of the transaction's past clock. The ladder has the same rule
--          (owner in Sources/Ladder/TokenUsers.swift).
create or replace function payrecon.token_owners(tokens text[] default null)
returns table (token text, user_id text)
language plpgsql stable parallel restricted
-- Looks up few keys of a large table.
set enable_nestloop = on
set enable_hashjoin = on
as $function$
begin
    return query execute $$
        with holder as materialized (
            select user_tokens.app_account_token, user_tokens.user_id
            from user_tokens
            where $1 is null or user_tokens.app_account_token = any($1)
        ),
        carrier as materialized (
            select orders.app_account_token, orders.user_id
            from orders
            where orders.app_account_token is not null
                and ($1 is null or orders.app_account_token = any($1))
        )
        select holder.app_account_token, min(holder.user_id)
        from holder
        group by holder.app_account_token
        having min(holder.user_id) = max(holder.user_id)
        union all
        select carrier.app_account_token, min(carrier.user_id)
        from carrier
        where not exists (select 1 from holder where holder.app_account_token = carrier.app_account_token)
        group by carrier.app_account_token
        having min(carrier.user_id) = max(carrier.user_id)
    $$ using tokens;
end
$function$;
