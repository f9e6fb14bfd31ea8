-- purpose: Returns the facts of a user, a token or a device: orders in any of their versions, uploaded evidence, chains.
--          Callers check an order's current version.
create or replace function payrecon.facts_of_key(wanted text, as_kind text) returns table (side text, id text)
language sql stable parallel safe
-- Looks up few keys of large tables.
set enable_nestloop = on
-- A short query finishes before parallel workers have started.
set max_parallel_workers_per_gather = 0
as $$
    select 'order', order_keys.order_id from payrecon.order_keys where as_kind = 'user' and order_keys.user_id = wanted
    union
    select 'order', order_keys.order_id from payrecon.order_keys
    where as_kind = 'token' and order_keys.app_account_token = wanted
    union
    select 'order', order_keys.order_id from payrecon.order_keys where as_kind = 'device' and order_keys.device_id = wanted
    union
    select 'evidence', encode(uploads.sha256, 'hex') from payrecon.uploads
    where as_kind = 'user' and uploads.user_id = wanted and uploads.user_id <> ''
    union
    select 'evidence', encode(uploads.sha256, 'hex') from payrecon.uploads
    where as_kind = 'device' and uploads.device_id = wanted and uploads.device_id <> ''
    union
    select 'chain', transactions.original_transaction_id from payrecon.transactions
    where as_kind = 'token' and transactions.app_account_token = wanted
$$;
