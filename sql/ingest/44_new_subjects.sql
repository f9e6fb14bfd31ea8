-- purpose: records the apps of new charges, and queues the subscriptions that new evidence concerns.
-- parameters: batch_id (bigint), bundle_ids, subscriptions (text[]): distinct
-- grain:   one row per app, and per subscription
with charged as (
    insert into charged_apps (bundle_id)
    select app.bundle_id
    from unnest(:'bundle_ids'::text[]) as app (bundle_id)
    on conflict do nothing
)
insert into renewal_news (original_transaction_id, batch_id)
select subscription.original_transaction_id, :'batch_id'::bigint
from unnest(:'subscriptions'::text[]) as subscription (original_transaction_id)
on conflict (original_transaction_id) do update set batch_id = excluded.batch_id;
