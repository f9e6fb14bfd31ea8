-- purpose: marks the truncated records that a later input completed.
-- parameters: parked_ids (text[]): their truncated ends; batch_id (bigint): the completing input
-- grain:   one row per truncated input
update truncated_inputs
set completing_batch_id = :'batch_id'::bigint
where parked_id = any(:'parked_ids'::text[])
    and completing_batch_id is null
    and batch_id < :'batch_id'::bigint;
