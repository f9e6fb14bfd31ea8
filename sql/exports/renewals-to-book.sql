-- purpose: export of renewals that Apple charged in Production and no order books: what the middle-platform has to create.
-- parameters: as_of (timestamptz)
-- grain:   one row per renewal charge with money that is not refunded in full
select
    charges.bundle_id,
    charges.environment,
    charges.original_transaction_id,
    charges.transaction_ids[1] as transaction_id,
    charges.charge_id,
    charges.product_id,
    subscription.user_id,
    rfc3339(charges.purchased_at) as purchased_at,
    rfc3339(charges.expires_at) as expires_at,
    charges.price_milliunits,
    charges.currency
from charges
inner join batches on batches.batch_id = charges.batch_id
left join subscriptions_at(:'as_of'::timestamptz) as subscription
    on subscription.original_transaction_id = charges.original_transaction_id
    and subscription.bundle_id = charges.bundle_id
    and subscription.environment = charges.environment
where batches.known_at <= :'as_of'::timestamptz
    and charges.environment = 'Production'
    and charges.is_renewal
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
