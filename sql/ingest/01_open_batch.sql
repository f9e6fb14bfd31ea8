-- purpose: opens the batch of one input file. What is read under a clock that decisions have passed, or at which a run that has
--          not ended decides, was not known then: it is known from right after them, and a later run at their clock may still
--          take it in. A file read before, byte for byte, tells nothing again: its rows are of the clock it was first read on.
-- parameters: kind, file_name, content_sha256, source, run_id (text), is_clock_given (boolean), known_at (timestamptz)
-- grain:   one row: the batch
with passed as (
    select max(runs.as_of) as as_of
    from runs
    where runs.bound_batch_id is not null
        and (
            runs.as_of > :'known_at'::timestamptz
            or (
                runs.as_of = :'known_at'::timestamptz
                and runs.ended_at is null
                and not exists (
                    select 1 from runs as again where again.run_id = runs.run_id and again.attempt > runs.attempt
                )
            )
        )
),
earlier as (
    select min(coalesce(batches.read_at, batches.known_at)) as read_at
    from batches
    where batches.kind = :'kind'::text
        and batches.content_sha256 = :'content_sha256'::text
        and batches.state = 'done'
        and :'content_sha256'::text <> ''
)
insert into batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at, read_at)
select
    :'kind'::text, :'file_name'::text, :'content_sha256'::text, :'source'::text, :'run_id'::text, 'open',
    :'is_clock_given'::boolean and passed.as_of is null,
    coalesce(passed.as_of + interval '1 microsecond', :'known_at'::timestamptz),
    least(earlier.read_at, :'known_at'::timestamptz)
from passed
cross join earlier
returning batch_id;
