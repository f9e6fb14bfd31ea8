-- purpose: takes appointments that were kept out of the queue, also when another worker has taken them over by now.
-- parameters: bundle_id (text)
-- grain:   one row per appointment kept
delete from poll_queue
using staged_answer
where poll_queue.original_transaction_id = staged_answer.original_transaction_id
    and poll_queue.bundle_id = :'bundle_id'::text
    and poll_queue.environment = 'Production'
    and poll_queue.due_at = staged_answer.due_at
    -- By the key: nobody knows how few rows were staged.
    and poll_queue.original_transaction_id = any(array(select held.original_transaction_id from staged_answer as held))
    and staged_answer.answer not in ('failed', 'refunded_units');
