-- purpose: ends a batch that a run has read, and opens a continuation batch for its input. It becomes known right after the
--          newest decided clock; a later run at that clock may still include it.
-- parameters: batch_id (bigint): the batch to end
-- grain:   one row: the continuation batch
with ended as (
    update batches
    set state = 'done'
    where batch_id = :'batch_id'::bigint
        and state = 'open'
)
insert into batches (
    kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at, read_at, reader_sha256,
    first_batch_id, mapping_sha256, mapping_number
)
select
    batches.kind, batches.file_name, batches.content_sha256, batches.source, batches.run_id, 'open', false,
    greatest(
        batches.known_at,
        (select max(runs.as_of) from runs where runs.bound_batch_id is not null) + interval '1 microsecond',
        signed_clock() + interval '1 microsecond'
    ),
    coalesce(batches.read_at, batches.known_at), batches.reader_sha256, coalesce(batches.first_batch_id, batches.batch_id),
    batches.mapping_sha256, batches.mapping_number
from batches
where batches.batch_id = :'batch_id'::bigint
returning batch_id;
