-- purpose: records files of which a run has only the beginning, because reading is in progress or was interrupted. Each
--          becomes a truncated input with a separate batch, until the rest is read or a person decides on it.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one row per newly recorded file
with unfinished as (
    select
        batches.kind, batches.file_name, batches.source, coalesce(batches.first_batch_id, batches.batch_id) as of_batch_id,
        encode(sha256(convert_to('unfinished ' || batches.batch_id, 'UTF8')), 'hex') as content_sha256,
        coalesce(first.items_done, 0) + batches.items_done as items_done
    from batches
    left join lateral (
        select sum(earlier.items_done)::bigint as items_done
        from batches as earlier
        where earlier.batch_id < batches.batch_id
            and (earlier.batch_id = batches.first_batch_id or earlier.first_batch_id = batches.first_batch_id)
    ) as first on true
    where batches.state = 'open'
        and batches.content_sha256 <> ''
        and batches.known_at <= :'as_of'::timestamptz
        and not exists (
            select 1
            from truncated_inputs
            where truncated_inputs.of_batch_id = coalesce(batches.first_batch_id, batches.batch_id)
                and truncated_inputs.batch_id > batches.batch_id
        )
        -- The same file was read to its end before, so nothing is missing.
        and not exists (
            select 1
            from batches as known
            where known.kind = batches.kind
                and known.content_sha256 = batches.content_sha256
                and coalesce(known.first_batch_id, known.batch_id) < coalesce(batches.first_batch_id, batches.batch_id)
            group by coalesce(known.first_batch_id, known.batch_id)
            having bool_and(known.state = 'done' and known.known_at <= :'as_of'::timestamptz)
        )
        -- Another file of the same name has been read to its end since.
        and not exists (
            select 1
            from batches as whole
            where whole.kind = batches.kind
                and whole.file_name = batches.file_name
                and whole.batch_id > batches.batch_id
                and whole.state = 'done'
                and whole.repeated_count >= coalesce(first.items_done, 0) + batches.accepted_count + batches.repeated_count
                and whole.accepted_count + whole.repeated_count > 0
        )
),
opened as (
    insert into batches (
        kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at, input_count, parked_count, items_done
    )
    select
        unfinished.kind, unfinished.file_name, unfinished.content_sha256, unfinished.source, :'run_id'::text, 'done', true,
        :'as_of'::timestamptz, 1, 1, 1
    from unfinished
    returning batch_id, kind, file_name, content_sha256
),
parked as (
    insert into parked_items (parked_id, kind, file, field, reason, raw, line, byte_count, batch_id)
    select
        left(opened.content_sha256, 32), opened.kind, opened.file_name, '',
        phrase('intake.unfinished', 'count', unfinished.items_done::text), '', unfinished.items_done + 1, 0,
        opened.batch_id
    from opened
    inner join unfinished on unfinished.content_sha256 = opened.content_sha256
    on conflict do nothing
)
insert into truncated_inputs (batch_id, parked_id, of_batch_id)
select opened.batch_id, left(opened.content_sha256, 32), unfinished.of_batch_id
from opened
inner join unfinished on unfinished.content_sha256 = opened.content_sha256
on conflict do nothing;
