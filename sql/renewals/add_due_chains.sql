-- purpose: adds the chains whose appointment has come: the schedule may ask for a later one by now.
-- parameters: bundles (text[]), clock (timestamptz)
-- grain:   one row per appointment that is due
insert into staged_chain (original_transaction_id)
select original_transaction_id
from poll_queue
where bundle_id = any(:'bundles'::text[])
    and due_at <= :'clock'::timestamptz;
