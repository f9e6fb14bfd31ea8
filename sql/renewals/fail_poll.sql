-- purpose: notes why Apple did not answer; the lease is kept as the pause before the next try, or given back at once.
-- parameters: original_transaction_id, bundle_id, worker, fault (text), gives_back (boolean), due_at (timestamptz)
-- grain:   one row
update poll_queue
set
    last_fault = :'fault'::text,
    fault_count = fault_count + 1,
    lease_until = case when :'gives_back'::boolean then null else lease_until end
where original_transaction_id = :'original_transaction_id'::text
    and bundle_id = :'bundle_id'::text
    and environment = 'Production'
    and due_at = :'due_at'::timestamptz
    and worker = :'worker'::text;
