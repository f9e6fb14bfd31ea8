-- purpose: adds the chains with a due poll, since the schedule may have moved it.
-- parameters: bundles (text[]), clock (timestamptz)
-- grain:   one row per due poll
insert into staged_chain (original_transaction_id)
select original_transaction_id
from poll_queue
where bundle_id = any(:'bundles'::text[])
    and due_at <= :'clock'::timestamptz;
