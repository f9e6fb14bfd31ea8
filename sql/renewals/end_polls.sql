-- purpose: removes completed polls from the queue, even if another worker has taken them over.
-- parameters: bundle_id (text)
-- grain:   one row per completed poll
delete from poll_queue
using staged_answer
where poll_queue.original_transaction_id = staged_answer.original_transaction_id
    and poll_queue.bundle_id = :'bundle_id'::text
    and poll_queue.environment = 'Production'
    and poll_queue.due_at = staged_answer.due_at
    -- Looks up by key, since the planner cannot know how few rows are staged.
    and poll_queue.original_transaction_id = any(array(select answered.original_transaction_id from staged_answer as answered))
    and staged_answer.answer not in ('failed', 'released');
