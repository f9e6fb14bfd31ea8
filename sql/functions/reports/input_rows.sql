-- purpose: Returns every batch that counts as input, with its content. Content that was read again counts as read first.
--          Input without content identity (standard input, the webhook, lists of Apple's) counts by kind and name.
-- grain:   one row per batch
create or replace function payrecon.input_rows() returns table (
    kind text, content_sha256 text, file_name text, source text, batch_id bigint, known_at timestamptz, input_count bigint,
    accepted_count bigint, repeated_count bigint, ignored_count bigint, parked_count bigint, newest_fact_at timestamptz
)
language sql stable parallel safe
as $$
    with batch as (
        select
            batches.batch_id, coalesce(batches.first_batch_id, batches.batch_id) as reading_id, batches.kind,
            batches.content_sha256, batches.file_name, batches.source, batches.state, batches.input_count,
            batches.accepted_count, batches.repeated_count, batches.ignored_count, batches.parked_count, batches.known_at,
            -- Facts may be later than the clock, as in a night that is made up for.
            case
                when batches.newest_fact_at <= (select payrecon.viewed_at()) then batches.newest_fact_at
                else (
                    select max(least(input_hours.newest_fact_at, (select payrecon.viewed_at())))
                    from input_hours
                    where input_hours.batch_id = batches.batch_id
                        and input_hours.fact_hour <= (select payrecon.viewed_at())
                )
            end as newest_fact_at
        from batches
        where batches.known_at <= (select payrecon.viewed_at())
    ),
    -- Continuation batches hold the part that was read after a night fixed its input.
    reading as (
        select
            batch.reading_id, min(batch.kind) as kind, min(batch.content_sha256) as content_sha256,
            min(batch.file_name) as file_name, min(batch.source) as source, min(batch.known_at) as known_at,
            min(batch.batch_id) as batch_id, sum(batch.input_count) as input_count
        from batch
        where batch.content_sha256 <> ''
        group by batch.reading_id
        having bool_and(batch.state = 'done') or sum(batch.input_count) > 0
    ),
    first_reading as (
        select distinct on (reading.kind, reading.content_sha256) reading.*
        from reading
        -- An interrupted reading counts until the whole is read.
        order by
            reading.kind asc, reading.content_sha256 asc, reading.input_count desc, reading.known_at asc, reading.batch_id asc
    )
    select
        first_reading.kind, first_reading.content_sha256, first_reading.file_name, first_reading.source, batch.batch_id,
        batch.known_at, batch.input_count, batch.accepted_count, batch.repeated_count, batch.ignored_count,
        batch.parked_count, batch.newest_fact_at
    from first_reading
    inner join batch on batch.reading_id = first_reading.reading_id and batch.content_sha256 <> ''
    union all
    select
        batch.kind, '', batch.file_name, batch.source, batch.batch_id, batch.known_at, batch.input_count, batch.accepted_count,
        batch.repeated_count, batch.ignored_count, batch.parked_count, batch.newest_fact_at
    from batch
    where batch.content_sha256 = ''
        -- Counts are stored with their rows, so an interrupted list leaves them correct, and a rerun without remaining rows
        -- does not reopen it.
        and (batch.state = 'done' or batch.input_count > 0)
$$;
