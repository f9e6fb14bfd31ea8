-- purpose: subscriptions with renewal infos, as the shared subscription function states them.
-- parameters: as_of (timestamptz)
-- grain:   one row per subscription in Production
create temp table detect_subscription on commit drop as
select subscription.*
from subscriptions_of(
    :'as_of'::timestamptz,
    (
        select coalesce(array_agg(distinct renewal_infos.original_transaction_id), '{}')
        from in_renewal_infos as renewal_infos
        where renewal_infos.environment = 'Production'
    )
) as subscription
where subscription.environment = 'Production';
