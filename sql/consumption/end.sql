-- purpose: records the end of a consumption request: what Apple answered, or why nothing was sent. The first end stays.
-- parameters: transaction_id, bundle_id, environment, outcome, reason, run_id (text); requested_at, as_of (timestamptz)
-- grain:   one row, none if the request has an end
insert into consumption_outcomes (transaction_id, bundle_id, environment, outcome, reason, run_id, requested_at, ended_at)
values (
    :'transaction_id'::text, :'bundle_id'::text, :'environment'::text, :'outcome'::text, :'reason'::text, :'run_id'::text,
    :'requested_at'::timestamptz, :'as_of'::timestamptz
)
on conflict do nothing;
