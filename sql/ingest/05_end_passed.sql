-- purpose: ends a batch that a run has read, so that its input continues in another batch.
-- parameters: batch_id (bigint)
-- grain:   one batch
update batches
set state = 'done'
where batch_id = :'batch_id'::bigint
    and state = 'open';
