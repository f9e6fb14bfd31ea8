-- purpose: the app and environment of a subscription, for a poll on demand.
-- parameters: original_transaction_id (text), as_of (timestamptz)
-- grain:   one row per app and environment
select subscription.bundle_id, subscription.environment
from subscriptions_at(:'as_of'::timestamptz) as subscription
where subscription.original_transaction_id = :'original_transaction_id'::text
order by subscription.bundle_id, subscription.environment;
