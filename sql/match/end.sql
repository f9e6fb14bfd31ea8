-- purpose: closes the matches that are no longer valid; ended_matches keeps their history.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one row per closed match
with ending as (
    delete from payrecon.matches as current
    using match_change
    where match_change.change = 'ended'
        and match_change.charge_id = current.charge_id
        and match_change.original_transaction_id = current.original_transaction_id
    returning current.*
),
freed as (
    delete from payrecon.matched_orders
    using match_change
    where match_change.change = 'ended'
        and match_change.order_id = matched_orders.order_id
)
insert into payrecon.ended_matches (
    original_transaction_id, charge_id, order_id, rung, run_id, ended_run_id, confidence, valid_from, valid_to
)
select
    original_transaction_id, charge_id, order_id, rung, run_id, :'run_id'::text, confidence, valid_from,
    greatest(valid_from, :'as_of'::timestamptz)
from ending
on conflict do nothing;
