-- purpose: what a user, a token or a device leads to: orders in any of their versions, evidence that was handed over, chains.
--          Whoever asks checks what an order says now.
create or replace function payrecon.facts_of_key(wanted text, as_kind text) returns table (side text, id text)
language sql stable parallel safe
-- Few keys of large tables, whoever asks.
set enable_nestloop = on
-- What is read in one go is read before workers have begun.
set max_parallel_workers_per_gather = 0
as $$
    select 'order', orders.order_id from payrecon.orders where as_kind = 'user' and orders.user_id = wanted
    union
    select 'order', orders.order_id from payrecon.orders where as_kind = 'token' and orders.app_account_token = wanted
    union
    select 'order', orders.order_id from payrecon.orders where as_kind = 'device' and orders.device_id = wanted
    union
    select 'order', versions.order_id from payrecon.order_versions as versions
    where as_kind = 'user' and versions.user_id = wanted
    union
    select 'order', versions.order_id from payrecon.order_versions as versions
    where as_kind = 'token' and versions.app_account_token = wanted
    union
    select 'order', versions.order_id from payrecon.order_versions as versions
    where as_kind = 'device' and versions.device_id = wanted
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
