-- purpose: users that a user id, a token or a device leads to: their users-file data, tokens and pending cases.
-- parameters: id (text), rows (bigint)
-- grain:   one row per user; for a device, the users whose orders name it
with seen as materialized (select fact.id from facts_of_key(:'id'::text, 'device') as fact where fact.side = 'order'),
buyer as materialized (select orders.user_id from seen inner join orders on orders.order_id = seen.id),
holder as materialized (
    select user_tokens.user_id from user_tokens where user_tokens.app_account_token = token_text(:'id'::text)
),
named as materialized (
    select :'id'::text as user_id
    union
    select holder.user_id from holder
    union
    select buyer.user_id from buyer
),
known as materialized (
    select users.user_id, users.home_storefront, users.is_tester, users.created_at
    from named
    inner join users on users.user_id = named.user_id
),
token as materialized (
    select user_tokens.user_id, string_agg(user_tokens.app_account_token, ' ' order by user_tokens.app_account_token) as tokens
    from named
    inner join user_tokens on user_tokens.user_id = named.user_id
    group by user_tokens.user_id
),
reached as materialized (
    select fact.id
    from named
    cross join lateral facts_of_key(named.user_id, 'user') as fact
    where fact.side = 'order'
),
bought as materialized (
    select orders.user_id, count(*) as order_count, max(orders.created_at) as newest_at
    from reached
    inner join orders on orders.order_id = reached.id
    group by orders.user_id
)
select
    named.user_id,
    phrase(case
        when known.user_id is null then 'explain.no_users_file'
        when known.is_tester then 'status.tester'
        else 'explain.in_users_file'
    end) as status,
    known.home_storefront,
    rfc3339(known.created_at) as created_at,
    token.tokens,
    coalesce(bought.order_count, 0) as orders,
    rfc3339(bought.newest_at) as newest,
    -- Case ids are unknown until the first gathering.
    case
        when kept.case_id is not null or not exists (select 1 from console_gathered) then case_id_of('user', named.user_id)
    end as case_id,
    kept.shown_status as case_status
from named
left join known on known.user_id = named.user_id
left join token on token.user_id = named.user_id
left join bought on bought.user_id = named.user_id
left join case_summaries as kept on kept.case_id = case_id_of('user', named.user_id)
where known.user_id is not null
    or token.user_id is not null
    or bought.user_id is not null
order by bought.newest_at desc nulls last, named.user_id
limit :'rows'::bigint;
