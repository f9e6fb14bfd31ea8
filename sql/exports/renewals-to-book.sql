-- purpose: export of renewals that Apple charged in Production and no order books: what the middle-platform has to create.
-- parameters: as_of (timestamptz)
-- grain:   one row per renewal charge with money that is not refunded in full
with known_charge as (
    select charges.*
    from charges
    where charges.batch_id in (select batches.batch_id from batches where batches.known_at <= :'as_of'::timestamptz)
        and charges.environment = 'Production'
        and (charges.type = 'auto_renewable' or charges.is_renewal)
),
token_user as (
    select users.app_account_token as token, min(users.user_id) as user_id
    from users
    where users.app_account_token is not null
    group by users.app_account_token
    having count(*) = 1
),
-- Whose a subscription is: who is named first, by a token or by the order that holds a charge.
chain_user as (
    select distinct on (known_charge.original_transaction_id, known_charge.bundle_id)
        known_charge.original_transaction_id, known_charge.bundle_id,
        coalesce(token_user.user_id, orders.user_id) as user_id
    from known_charge
    left join token_user on token_user.token = known_charge.app_account_token
    left join claims
        on claims.original_transaction_id = known_charge.original_transaction_id
        and claims.charge_id = known_charge.charge_id
    left join orders on orders.order_id = claims.order_id
    where coalesce(token_user.user_id, orders.user_id) is not null
    order by
        known_charge.original_transaction_id, known_charge.bundle_id, known_charge.purchased_at,
        known_charge.charge_id
)
select
    charges.bundle_id,
    charges.environment,
    charges.original_transaction_id,
    charges.transaction_ids[1] as transaction_id,
    charges.charge_id,
    charges.product_id,
    chain_user.user_id,
    rfc3339(charges.purchased_at) as purchased_at,
    rfc3339(charges.expires_at) as expires_at,
    charges.price_milliunits,
    charges.currency
from known_charge as charges
left join chain_user
    on chain_user.original_transaction_id = charges.original_transaction_id
    and chain_user.bundle_id = charges.bundle_id
where charges.is_renewal
    and charges.state in ('charged', 'partly_refunded')
    and not exists (
        select
        from matches
        where matches.original_transaction_id = charges.original_transaction_id
            and matches.charge_id = charges.charge_id
            and matches.valid_from <= :'as_of'::timestamptz
    )
    and not exists (
        select
        from ended_matches
        where ended_matches.original_transaction_id = charges.original_transaction_id
            and ended_matches.charge_id = charges.charge_id
            and ended_matches.valid_from <= :'as_of'::timestamptz
            and ended_matches.valid_to > :'as_of'::timestamptz
    )
order by charges.bundle_id, charges.original_transaction_id, charges.purchased_at, charges.charge_id;
