-- purpose: inputs that ended before they should, and of which neither the whole was read since nor anybody decided on the cut end.
-- parameters: as_of (timestamptz), batch_id (bigint): of the input that began with that batch; null for all
-- grain:   one row per cut input
with cut as materialized (
    select distinct on (batches.kind, batches.file_name, cut_inputs.parked_id)
        batches.kind, batches.file_name, parked_items.line, parked_items.reason, cut_inputs.parked_id
    from cut_inputs
    inner join batches on batches.batch_id = cut_inputs.batch_id
    inner join parked_items on parked_items.parked_id = cut_inputs.parked_id
    where batches.known_at <= :'as_of'::timestamptz
        and (
            :'batch_id'::bigint is null
            or batches.batch_id = :'batch_id'::bigint
            or batches.first_batch_id = :'batch_id'::bigint
        )
    order by batches.kind, batches.file_name, cut_inputs.parked_id
)
select cut.kind, cut.file_name, cut.line, cut.reason, cut.parked_id
from cut
where not is_cut_over(cut.parked_id, :'as_of'::timestamptz)
order by cut.kind, cut.file_name, cut.parked_id;
