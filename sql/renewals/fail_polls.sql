-- purpose: records why Apple did not answer; the lease delays the next attempt. Polls given back may be claimed by any
--          worker at once.
-- parameters: bundle_id, worker (text)
-- grain:   one row per uncompleted poll
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
    and staged_answer.answer in ('failed', 'released')
    and poll_queue.original_transaction_id = any(
        array(select staged.original_transaction_id from staged_answer as staged where staged.answer in ('failed', 'released'))
    );
