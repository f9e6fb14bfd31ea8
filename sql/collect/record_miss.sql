-- purpose: records that neither App Store knew an id; the first time counts.
-- parameters: bundle_id, transaction_id (text), asked_at (timestamptz)
-- grain:   one row per id
insert into api_misses (bundle_id, transaction_id, asked_at)
values (:'bundle_id'::text, :'transaction_id'::text, :'asked_at'::timestamptz)
on conflict do nothing;
