-- purpose: takes appointments that were kept out of the queue, unless somebody else has them by now.
-- parameters: bundle_id, worker (text)
-- grain:   one row per appointment kept
delete from poll_queue
using staged_answer
where poll_queue.original_transaction_id = staged_answer.original_transaction_id
    and poll_queue.bundle_id = :'bundle_id'::text
    and poll_queue.environment = 'Production'
    and poll_queue.due_at = staged_answer.due_at
    and poll_queue.worker = :'worker'::text
    and staged_answer.answer not in ('failed', 'given_back');
