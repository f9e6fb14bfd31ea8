-- purpose: subscriptions with renewal infos, as the shared subscription function states them.
-- parameters: as_of (timestamptz)
-- grain:   one row per subscription in Production
create temp table detect_subscription on commit drop as
select subscription.*
from (
    select array_agg(distinct renewal_infos.original_transaction_id) as chains
    from in_renewal_infos as renewal_infos
    where renewal_infos.environment = 'Production'
    -- Without chains no row is left, so the function is not planned.
    having count(*) > 0
) as renewing
cross join lateral subscriptions_of(:'as_of'::timestamptz, renewing.chains) as subscription
where subscription.environment = 'Production';
