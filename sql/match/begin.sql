-- purpose: creates the new matches; a primary key rejects a second match of a charge.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one row per match
insert into payrecon.matches (original_transaction_id, charge_id, order_id, rung, run_id, confidence, valid_from)
select original_transaction_id, charge_id, order_id, rung, :'run_id'::text, confidence, :'as_of'::timestamptz
from match_change
where change = 'begun'
order by original_transaction_id, charge_id;
