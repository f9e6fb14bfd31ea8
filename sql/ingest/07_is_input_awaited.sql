-- purpose: whether an input of a name is still awaited: an earlier one was truncated, refused or not read to its end.
-- parameters: kind, file_name (text), parked_id (text): only this truncated end, null for any, after_batch_id (bigint):
--             recorded after that batch was opened; as_of (timestamptz)
-- grain:   one row
select exists (
    select 1
    from truncated_inputs
    inner join batches on batches.batch_id = truncated_inputs.batch_id
    where batches.kind = :'kind'::text
        and batches.file_name = :'file_name'::text
        and batches.batch_id > :'after_batch_id'::bigint
        and (:'parked_id'::text is null or truncated_inputs.parked_id = :'parked_id'::text)
        and not is_truncation_resolved(truncated_inputs.parked_id, :'as_of'::timestamptz)
) as is_awaited;
