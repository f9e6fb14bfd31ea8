-- purpose: takes an appointment that was kept out of the queue, unless somebody else has it by now.
-- parameters: original_transaction_id, bundle_id, worker (text), due_at (timestamptz)
-- grain:   one row
delete from poll_queue
where original_transaction_id = :'original_transaction_id'::text
    and bundle_id = :'bundle_id'::text
    and environment = 'Production'
    and due_at = :'due_at'::timestamptz
    and worker = :'worker'::text;
