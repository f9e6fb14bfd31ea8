-- purpose: records that a batch's input ended before it should, and the parked item that stands for its cut end.
-- parameters: batch_id (bigint), parked_id (text)
-- grain:   one row at most
insert into cut_inputs (batch_id, parked_id)
values (:'batch_id'::bigint, :'parked_id'::text)
on conflict do nothing;
