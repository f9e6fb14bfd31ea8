-- purpose: notes why Apple did not answer; the lease is kept as the pause before the next try. What is given back, asked
--          about or not, may be tried by any worker at once.
-- parameters: bundle_id, worker (text)
-- grain:   one row per appointment not kept
update poll_queue
set
    last_fault = coalesce(staged_answer.fault, poll_queue.last_fault),
    fault_count = poll_queue.fault_count + (staged_answer.fault is not null)::integer,
    worker = case when staged_answer.answer = 'failed' then poll_queue.worker end,
    lease_until = case when staged_answer.answer = 'failed' then poll_queue.lease_until end
from staged_answer
where poll_queue.original_transaction_id = staged_answer.original_transaction_id
    and poll_queue.bundle_id = :'bundle_id'::text
    and poll_queue.environment = 'Production'
    and poll_queue.due_at = staged_answer.due_at
    and poll_queue.worker = :'worker'::text
    and staged_answer.answer in ('failed', 'refunded_units')
    and poll_queue.original_transaction_id = any(
        array(select held.original_transaction_id from staged_answer as held where held.answer in ('failed', 'refunded_units'))
    );
