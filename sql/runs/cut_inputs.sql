-- purpose: truncated inputs whose whole was not read since and whose truncated end has no decision. For a later file of the
--          same name it is reported whether the truncated record can be recognised in it.
-- parameters: as_of (timestamptz), batch_id (bigint): first batch of the input; null for all
-- grain:   one row per truncated input
with cut as materialized (
    select distinct on (batches.kind, batches.file_name, cut_inputs.parked_id)
        batches.kind, batches.file_name, parked_items.line, parked_items.reason, cut_inputs.parked_id, batches.batch_id,
        batches.content_sha256, cut_inputs.awaits_record and coalesce(completing.known_at > :'as_of'::timestamptz, true) as is_awaited
    from cut_inputs
    inner join batches on batches.batch_id = cut_inputs.batch_id
    inner join parked_items on parked_items.parked_id = cut_inputs.parked_id
    left join batches as completing on completing.batch_id = cut_inputs.completing_batch_id
    where batches.known_at <= :'as_of'::timestamptz
        and (
            :'batch_id'::bigint is null
            or batches.batch_id = :'batch_id'::bigint
            or batches.first_batch_id = :'batch_id'::bigint
        )
    order by batches.kind, batches.file_name, cut_inputs.parked_id, batches.batch_id
),
-- Records that a later file of the same name arrived without, as far as known.
missed as materialized (
    select distinct cut.parked_id
    from cut
    inner join batches as later
        on later.kind = cut.kind
        and later.file_name = cut.file_name
        and later.batch_id > cut.batch_id
    left join cut_inputs as note
        on note.batch_id = later.batch_id
        and note.of_batch_id is not null
    where cut.is_awaited
        and note.batch_id is null
        and later.first_batch_id is null
        and later.content_sha256 <> cut.content_sha256
        and later.known_at <= :'as_of'::timestamptz
)
select
    cut.kind, cut.file_name, cut.line,
    cut.reason || case
        when missed.parked_id is not null
            then ', and in the file of its name that came since this record is not, or cannot be distinguished from others'
        else ''
    end as reason,
    cut.parked_id
from cut
left join missed on missed.parked_id = cut.parked_id
where not is_truncation_resolved(cut.parked_id, :'as_of'::timestamptz)
order by cut.kind, cut.file_name, cut.parked_id;
