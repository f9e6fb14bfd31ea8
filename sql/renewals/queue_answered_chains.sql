-- purpose: queues the subscriptions that Apple answered about for scheduling of their next poll.
-- grain:   one row per chain
insert into renewal_news (original_transaction_id, batch_id)
select distinct staged_answer.original_transaction_id, 0
from staged_answer
where staged_answer.answer not in ('failed', 'released')
order by staged_answer.original_transaction_id
on conflict do nothing;
