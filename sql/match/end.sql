-- purpose: ends the matches that no longer hold; their history stays in ended_matches.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one ended match
with ending as (
    delete from payrecon.matches as standing
    using match_change
    where match_change.change = 'ended'
        and match_change.charge_id = standing.charge_id
        and match_change.original_transaction_id = standing.original_transaction_id
    returning standing.*
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
