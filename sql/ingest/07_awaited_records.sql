-- purpose: truncated records at the end of earlier inputs of the same name that no later input has completed.
-- parameters: kind (text), batch_id (bigint): batch of the current input
-- grain:   one row per record, at most 100
select distinct on (truncated_inputs.parked_id) truncated_inputs.parked_id, parked_items.header, parked_items.raw, parked_items.line
from batches as reading
inner join batches
    on batches.file_name = reading.file_name
    and batches.batch_id < reading.batch_id
inner join truncated_inputs on truncated_inputs.batch_id = batches.batch_id
inner join parked_items on parked_items.parked_id = truncated_inputs.parked_id
where reading.batch_id = :'batch_id'::bigint
    and batches.kind = :'kind'::text
    and truncated_inputs.awaits_record
    and truncated_inputs.completing_batch_id is null
order by truncated_inputs.parked_id
limit 100;
