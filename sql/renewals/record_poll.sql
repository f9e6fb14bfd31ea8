-- purpose: records that Apple answered; an appointment is kept once, whoever keeps it.
-- parameters: original_transaction_id, bundle_id, environment, slot, answer, worker, run_id (text), apple_status (integer),
--             slot_at, asked_at (timestamptz)
-- grain:   one row
insert into polls (
    original_transaction_id, bundle_id, environment, slot, answer, worker, run_id, apple_status, slot_at, asked_at
)
values (
    :'original_transaction_id'::text, :'bundle_id'::text, :'environment'::text, :'slot'::text, :'answer'::text,
    :'worker'::text, :'run_id'::text, :'apple_status'::integer, :'slot_at'::timestamptz, :'asked_at'::timestamptz
)
on conflict do nothing;
