-- purpose: Production purchases and refunds of the look-back, each with the user it belongs to: the matched order's, else
--          the token's owner. Family-shared ones are nobody's purchase. Who is a tester is marked next.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per charge
create temp table rule_sale on commit drop as
with token_user as (
    select users.app_account_token as token, min(users.user_id) as user_id
    from users
    where users.app_account_token is not null
    group by users.app_account_token
),
sale as (
    select
        charges.charge_id,
        charges.original_transaction_id,
        charges.transaction_ids[1] as transaction_id,
        charges.bundle_id,
        charges.product_id,
        charges.type,
        charges.state,
        charges.offer_type,
        charges.storefront,
        charges.currency,
        charges.price_milliunits,
        charges.refunded_milliunits,
        charges.app_account_token as charge_token,
        charges.is_renewal,
        charges.purchased_at,
        charges.revoked_at,
        charges.reversed_at,
        matches.rung,
        orders.order_id,
        orders.device_id,
        orders.app_account_token as order_token,
        orders.created_at as ordered_at,
        orders.delivered_at,
        coalesce(orders.user_id, token_user.user_id) as user_id,
        token_user.user_id as token_user_id
    from charges
    left join matches
        on matches.original_transaction_id = charges.original_transaction_id
        and matches.charge_id = charges.charge_id
    left join orders on orders.order_id = matches.order_id
    left join token_user on token_user.token = charges.app_account_token
    where charges.environment = 'Production'
        and charges.ownership = 'PURCHASED'
        and charges.purchased_at <= :'as_of'::timestamptz
        and (
            charges.purchased_at >= :'as_of'::timestamptz - :'lookback'::interval
            or charges.revoked_at >= :'as_of'::timestamptz - :'lookback'::interval
        )
)
select
    sale.*,
    coalesce(rule_person.person, sale.user_id) as person,
    false as is_tester
from sale
left join rule_person on rule_person.user_id = sale.user_id;
