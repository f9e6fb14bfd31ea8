-- purpose: the plain bulk of rung M1, decided at once: one order names one charge, nobody else names either, everything
--          fits, and nothing speaks for a second user on its subscription. Whatever is not plain climbs the ladder.
-- grain:   one decided match per pair
insert into match_plain (order_id, charge_id, original_transaction_id, rung)
with said_of_subscriptions as (
    select environment, bundle_id, original_transaction_id, user_id
    from match_named
    where type = 'auto_renewable'
    union all
    select charges.environment, charges.bundle_id, charges.original_transaction_id, match_token_owner.user_id
    from charges
    inner join match_token_owner on match_token_owner.token = charges.app_account_token
    where charges.type = 'auto_renewable'
),
contested_subscription as (
    select environment, bundle_id, original_transaction_id
    from said_of_subscriptions
    group by environment, bundle_id, original_transaction_id
    having min(user_id) <> max(user_id)
),
contested_charge as (
    select charge_id from match_named group by charge_id having count(*) > 1
),
contesting_order as (
    select order_id from match_named group by order_id having count(*) > 1
)
select match_named.order_id, match_named.charge_id, match_named.original_transaction_id, 'M1'
from match_named
left join match_token_owner on match_token_owner.token = match_named.token
where match_named.is_fitting
    and (match_token_owner.user_id is null or match_token_owner.user_id = match_named.user_id)
    and not exists (select from contested_charge where contested_charge.charge_id = match_named.charge_id)
    and not exists (select from contesting_order where contesting_order.order_id = match_named.order_id)
    and not exists (
        select
        from contested_subscription
        where match_named.type = 'auto_renewable'
            and contested_subscription.original_transaction_id = match_named.original_transaction_id
            and contested_subscription.bundle_id = match_named.bundle_id
            and contested_subscription.environment = match_named.environment
    );
