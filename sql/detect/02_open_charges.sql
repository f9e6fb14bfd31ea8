-- purpose: money-bearing Production charges without order; family-shared and free ones are never open, refunded or not.
-- grain:   one row per open charge
create temp table detect_open_charge on commit drop as
select
    charges.charge_id,
    charges.original_transaction_id,
    charges.transaction_ids[1] as transaction_id,
    charges.bundle_id,
    charges.product_id,
    charges.state,
    charges.currency,
    charges.price_milliunits,
    users.user_id,
    charges.is_renewal,
    charges.purchased_at,
    charges.revoked_at
from charges
left join lateral (
    select min(users.user_id) as user_id
    from users
    where users.app_account_token = charges.app_account_token
) as users on true
where charges.environment = 'Production'
    and charges.state not in ('family', 'free')
    and charges.price_milliunits is distinct from 0
    and not exists (
        select
        from matches
        where matches.original_transaction_id = charges.original_transaction_id
            and matches.charge_id = charges.charge_id
    );
