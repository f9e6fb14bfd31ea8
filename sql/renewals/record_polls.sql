-- purpose: records Apple's answers; a poll is completed once, by whichever worker.
-- parameters: bundle_id, environment, worker, run_id (text), requested_at (timestamptz)
-- grain:   one row per answer
insert into polls (
    original_transaction_id, bundle_id, environment, slot, answer, worker, run_id, apple_status, slot_at, requested_at
)
select
    staged_answer.original_transaction_id, :'bundle_id'::text, :'environment'::text, staged_answer.slot,
    staged_answer.answer, :'worker'::text, :'run_id'::text, staged_answer.apple_status, staged_answer.due_at,
    :'requested_at'::timestamptz
from staged_answer
where staged_answer.answer not in ('failed', 'released')
order by staged_answer.original_transaction_id
on conflict do nothing;
