-- purpose: notes that the records in which inputs were cut are told.
-- parameters: parked_ids (text[]): of their cut ends; batch_id (bigint): what tells them
-- grain:   one row per cut input
update cut_inputs
set told_batch_id = :'batch_id'::bigint
where parked_id = any(:'parked_ids'::text[])
    and told_batch_id is null
    and batch_id < :'batch_id'::bigint;
