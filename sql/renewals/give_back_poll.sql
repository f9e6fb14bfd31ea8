-- purpose: gives an appointment back that was leased and not asked about.
-- parameters: original_transaction_id, bundle_id, worker (text), due_at (timestamptz)
-- grain:   one row
update poll_queue
set worker = null, lease_until = null
where original_transaction_id = :'original_transaction_id'::text
    and bundle_id = :'bundle_id'::text
    and environment = 'Production'
    and due_at = :'due_at'::timestamptz
    and worker = :'worker'::text;
