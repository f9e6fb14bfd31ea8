-- purpose: truncated inputs whose whole was not read since and whose truncated end has no decision. For a later file of the
--          same name it is reported whether the truncated record can be recognised in it.
-- parameters: as_of (timestamptz), batch_id (bigint): first batch of the input; null for all
-- grain:   one row per truncated input
with truncated as materialized (
    select distinct on (batches.kind, batches.file_name, truncated_inputs.parked_id)
        batches.kind, batches.file_name, parked_items.line, parked_items.reason, truncated_inputs.parked_id, batches.batch_id,
        batches.content_sha256, truncated_inputs.awaits_record and coalesce(completing.known_at > :'as_of'::timestamptz, true) as is_awaited
    from truncated_inputs
    inner join batches on batches.batch_id = truncated_inputs.batch_id
    inner join parked_items on parked_items.parked_id = truncated_inputs.parked_id
    left join batches as completing on completing.batch_id = truncated_inputs.completing_batch_id
    where batches.known_at <= :'as_of'::timestamptz
        and (
            :'batch_id'::bigint is null
            or batches.batch_id = :'batch_id'::bigint
            or batches.first_batch_id = :'batch_id'::bigint
        )
    order by batches.kind, batches.file_name, truncated_inputs.parked_id, batches.batch_id
),
-- Records that a later file of the same name arrived without, as far as known.
missing_record as materialized (
    select distinct truncated.parked_id
    from truncated
    inner join batches as later using (kind, file_name)
    left join truncated_inputs as note
        on note.batch_id = later.batch_id
        and note.of_batch_id is not null
    where later.batch_id > truncated.batch_id
        and truncated.is_awaited
        and note.batch_id is null
        and later.first_batch_id is null
        and later.content_sha256 <> truncated.content_sha256
        and later.known_at <= :'as_of'::timestamptz
)
select
    truncated.kind, truncated.file_name, truncated.line,
    case
        when missing_record.parked_id is not null then phrase('night.cut_missed', jsonb_build_object('what', truncated.reason))
        else truncated.reason
    end::text as reason,
    truncated.parked_id
from truncated
left join missing_record on missing_record.parked_id = truncated.parked_id
where not is_truncation_resolved(truncated.parked_id, :'as_of'::timestamptz)
order by truncated.kind, truncated.file_name, truncated.parked_id;
