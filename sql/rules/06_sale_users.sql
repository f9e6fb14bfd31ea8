-- purpose: users whose purchases the rules read: the users of interest and accounts merged with theirs; with their orders,
--          and the purchases and subscriptions that carry their tokens.
-- grain:   rule_sale_user one row per user; rule_sale_order one row per order of theirs;
--          rule_sale_chain one row per user, token and original transaction
create temp table rule_sale_user on commit drop as
select user_id from rule_interest
union
select member.user_id
from rule_interest
inner join rule_person on rule_person.user_id = rule_interest.user_id
inner join rule_person as member on member.person = rule_person.person;
analyze rule_sale_user;
-- Reads orders first; a plan that begins with all charges would read everybody's purchases.
create temp table rule_sale_order on commit drop as
select
    orders.order_id, orders.user_id, orders.device_id, orders.app_account_token, orders.created_at,
    -- An order that states a delivery or revocation without an instant counts from its beginning.
    coalesce(
        orders.delivered_at,
        case when orders.status in ('delivered', 'revoked') then coalesce(orders.paid_at, orders.created_at) end
    ) as delivered_at
from rule_sale_user
inner join orders on orders.user_id = rule_sale_user.user_id;
analyze rule_sale_order;
create temp table rule_sale_token on commit drop as
with user_token as materialized (
    select user_tokens.app_account_token
    from rule_sale_user
    inner join user_tokens on user_tokens.user_id = rule_sale_user.user_id
)
select owners.token, owners.user_id
from token_owners(
    array(
        select user_token.app_account_token from user_token
        union
        select rule_sale_order.app_account_token
        from rule_sale_order
        where rule_sale_order.app_account_token is not null
    )
) as owners
inner join rule_sale_user on rule_sale_user.user_id = owners.user_id;
analyze rule_sale_token;
create temp table rule_sale_chain on commit drop as
select distinct rule_sale_token.user_id, rule_sale_token.token, rule_token_chain.original_transaction_id
from rule_sale_token
inner join rule_token_chain on rule_token_chain.app_account_token = rule_sale_token.token;
drop table rule_sale_token;
analyze rule_sale_chain;
