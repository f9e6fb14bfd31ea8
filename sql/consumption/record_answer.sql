-- purpose: records an answer before it is sent. An answer to the same request that was decided before stays.
-- parameters: transaction_id, bundle_id, environment, charge_id, order_id, body, body_sha256, run_id (text); requested_at,
--             due_at, as_of (timestamptz)
-- grain:   one row, none if the request has an answer
insert into consumption_intents (
    transaction_id, bundle_id, environment, charge_id, order_id, body, body_sha256, run_id, requested_at, due_at, decided_at
)
values (
    :'transaction_id'::text, :'bundle_id'::text, :'environment'::text, :'charge_id'::text, :'order_id'::text, :'body'::text,
    :'body_sha256'::text, :'run_id'::text, :'requested_at'::timestamptz, :'due_at'::timestamptz, :'as_of'::timestamptz
)
on conflict do nothing;
