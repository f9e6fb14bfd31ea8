-- purpose: inputs that ended before they should, and of which neither the whole was read since nor anybody decided on the cut end;
--          and where a later file of its name came in which the record that was cut cannot be told from others.
-- parameters: as_of (timestamptz), batch_id (bigint): of the input that began with that batch; null for all
-- grain:   one row per cut input
with cut as materialized (
    select distinct on (batches.kind, batches.file_name, cut_inputs.parked_id)
        batches.kind, batches.file_name, parked_items.line, parked_items.reason, cut_inputs.parked_id, batches.batch_id,
        batches.content_sha256, cut_inputs.awaits_record and coalesce(told.known_at > :'as_of'::timestamptz, true) as is_awaited
    from cut_inputs
    inner join batches on batches.batch_id = cut_inputs.batch_id
    inner join parked_items on parked_items.parked_id = cut_inputs.parked_id
    left join batches as told on told.batch_id = cut_inputs.told_batch_id
    where batches.known_at <= :'as_of'::timestamptz
        and (
            :'batch_id'::bigint is null
            or batches.batch_id = :'batch_id'::bigint
            or batches.first_batch_id = :'batch_id'::bigint
        )
    order by batches.kind, batches.file_name, cut_inputs.parked_id, batches.batch_id
),
-- A later file of the name came, and is not known to have the record.
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
            then ', and in the file of its name that came since this record is not, or cannot be told from others'
        else ''
    end as reason,
    cut.parked_id
from cut
left join missed on missed.parked_id = cut.parked_id
where not is_truncation_resolved(cut.parked_id, :'as_of'::timestamptz)
order by cut.kind, cut.file_name, cut.parked_id;
