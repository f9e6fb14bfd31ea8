-- purpose: Returns every batch that counts as input, with its content. Content that was read again counts as read first. A
--          reading of a database begins with rows of the last one; alone, without anything new, they are no input. Input
--          without content identity (standard input, posted notifications, lists of Apple's) counts by kind and name.
-- grain:   one row per batch
create or replace function payrecon.input_rows() returns table (
    kind text, content_sha256 text, file_name text, source text, batch_id bigint, known_at timestamptz, input_count bigint,
    accepted_count bigint, repeated_count bigint, ignored_count bigint, parked_count bigint, newest_fact_at timestamptz
)
language sql stable parallel safe
as $$
    with batch as (
        select
            batch_id, coalesce(first_batch_id, batch_id) as reading_id, kind, content_sha256, file_name, source, state, input_count,
            accepted_count, repeated_count, ignored_count, parked_count, known_at,
            -- The name that a reading of a database gives its file, as in Sources/Ingest/Pull/PullFile.swift.
            file_name ~ '^.+-(after-the-beginning|after-[^-]*|undated|all)[.]ndjson$'
            and repeated_count + parked_count = input_count
            and batch_id not in (select parked_items.batch_id from parked_items) as is_read_again,
            -- Facts may be later than the clock, as in a night that is made up for.
            case
                when newest_fact_at <= (select payrecon.viewed_at()) then newest_fact_at
                else (
                    select max(least(input_hours.newest_fact_at, (select payrecon.viewed_at())))
                    from input_hours
                    where input_hours.batch_id = batches.batch_id
                        and input_hours.fact_hour <= (select payrecon.viewed_at())
                )
            end as newest_fact_at
        from batches
        where known_at <= (select payrecon.viewed_at())
    ),
    -- Continuation batches hold the part that was read after a night fixed its input.
    reading as (
        select
            reading_id, min(kind) as kind, min(content_sha256) as content_sha256, min(file_name) as file_name, min(source) as source,
            min(known_at) as known_at, min(batch_id) as batch_id, sum(input_count) as input_count
        from batch
        where content_sha256 <> ''
        group by reading_id
        having (bool_and(state = 'done') or sum(input_count) > 0)
            and not bool_and(is_read_again)
    ),
    first_reading as (
        select distinct on (kind, content_sha256) reading.*
        from reading
        -- An interrupted reading counts until the whole is read.
        order by
            kind asc, content_sha256 asc, input_count desc, known_at asc, batch_id asc
    )
    select
        first_reading.kind, first_reading.content_sha256, first_reading.file_name, first_reading.source, batch.batch_id,
        batch.known_at, batch.input_count, batch.accepted_count, batch.repeated_count, batch.ignored_count,
        batch.parked_count, batch.newest_fact_at
    from first_reading
    inner join batch on batch.reading_id = first_reading.reading_id and batch.content_sha256 <> ''
    union all
    select
        kind, '', file_name, source, batch_id, known_at, input_count, accepted_count, repeated_count, ignored_count, parked_count,
        newest_fact_at
    from batch
    where content_sha256 = ''
        -- Counts are stored with their rows, so an interrupted list leaves them correct, and a rerun without remaining rows
        -- does not reopen it.
        and (state = 'done' or input_count > 0)
$$;
