-- purpose: export of renewals that Apple charged in Production and no order books; the middle-platform has to create these
--          orders.
-- grain:   one row per renewal charge with money that is not refunded in full
with unbooked as materialized (
    select charges.*
    from charges
    where charges.environment = 'Production'
        and charges.is_renewal
        and charges.state in ('charged', 'partly_refunded')
        and not exists (
            select 1
            from matches
            where matches.original_transaction_id = charges.original_transaction_id
                and matches.charge_id = charges.charge_id
        )
),
chain_user as materialized (
    select owners.original_transaction_id, owners.bundle_id, owners.user_id
    from chain_owners(array(select distinct unbooked.original_transaction_id from unbooked)) as owners
    where owners.environment = 'Production'
)
select
    charges.bundle_id, charges.environment, charges.original_transaction_id,
    charges.transaction_ids[1] as transaction_id,
    charges.charge_id, charges.product_id, chain_user.user_id,
    rfc3339(charges.purchased_at) as purchased_at,
    rfc3339(charges.expires_at) as expires_at,
    charges.price_milliunits, charges.currency
from unbooked as charges
left join chain_user using (original_transaction_id, bundle_id)
order by charges.bundle_id, charges.original_transaction_id, charges.purchased_at, charges.charge_id;
