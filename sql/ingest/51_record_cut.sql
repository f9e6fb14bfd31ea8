-- purpose: records that a batch's input ended before it should, and the parked item that stands for its cut end.
-- parameters: batch_id (bigint), parked_id (text), of_batch_id (bigint): the batch of an input that was refused, of which this
--             is a note; null where the batch is the input's own; awaits_record (boolean): the record in which it was cut can be
--             recognised
-- grain:   one row at most
insert into cut_inputs (batch_id, parked_id, of_batch_id, awaits_record)
values (:'batch_id'::bigint, :'parked_id'::text, :'of_batch_id'::bigint, :'awaits_record'::boolean)
on conflict do nothing;
