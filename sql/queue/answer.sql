-- purpose: records that a consumption request was answered, or must not be.
-- parameters: transaction_id, bundle_id, environment, outcome, person, reason (text), as_of (timestamptz)
-- grain:   one row
insert into consumption_answers (transaction_id, bundle_id, environment, outcome, person, reason, answered_at)
values (
    :'transaction_id'::text, :'bundle_id'::text, :'environment'::text, :'outcome'::text, :'person'::text, :'reason'::text,
    :'as_of'::timestamptz
)
on conflict do nothing;
