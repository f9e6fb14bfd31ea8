-- purpose: records that a batch's input was truncated, with the parked item of its truncated end.
-- parameters: batch_id (bigint), parked_id (text), of_batch_id (bigint): batch of a refused input that this record describes,
--             null if the batch is the input's; awaits_record (boolean): whether the truncated record can be recognised later
-- grain:   one row at most
insert into truncated_inputs (batch_id, parked_id, of_batch_id, awaits_record)
values (:'batch_id'::bigint, :'parked_id'::text, :'of_batch_id'::bigint, :'awaits_record'::boolean)
on conflict do nothing;
