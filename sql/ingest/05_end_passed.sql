-- purpose: ends a batch of which a run has read what is there, so that its input goes on in a further one.
-- parameters: batch_id (bigint)
-- grain:   one batch
update batches
set state = 'done'
where batch_id = :'batch_id'::bigint
    and state = 'open';
