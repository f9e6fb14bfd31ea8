-- purpose: opens the batch of an input file. If decisions exist at or after its clock, an unfinished run decides there, or
--          signed reports show it, the batch becomes known right after them. A later run at their clock may still include it.
--          Rows that state no instant keep the clock at which their bytes were first read, even if another mapping reads them.
-- parameters: kind, file_name, content_sha256, mapping_sha256, source, run_id (text), is_clock_given (boolean),
--             known_at (timestamptz), received_at (timestamptz): clock at which its rows were parked, null for other input
-- grain:   one row: the batch
with passed as (
    select max(decided.as_of) as as_of
    from (
        select runs.as_of
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
        union all
        select signed.as_of
        from signed_clock() as signed (as_of)
        where signed.as_of >= :'known_at'::timestamptz
    ) as decided
),
earlier as (
    select min(coalesce(batches.read_at, batches.known_at)) as read_at
    from batches
    where batches.kind = :'kind'::text
        and batches.content_sha256 = :'content_sha256'::text
        and :'content_sha256'::text <> ''
)
insert into batches (
    kind, file_name, content_sha256, mapping_sha256, mapping_number, source, run_id, state, is_clock_given, known_at, read_at
)
select
    :'kind'::text, :'file_name'::text, :'content_sha256'::text, :'mapping_sha256'::text,
    mapping_number(:'kind'::text, :'mapping_sha256'::text), :'source'::text, :'run_id'::text, 'open',
    :'is_clock_given'::boolean and passed.as_of is null,
    coalesce(passed.as_of + interval '1 microsecond', :'known_at'::timestamptz),
    least(earlier.read_at, :'received_at'::timestamptz, :'known_at'::timestamptz)
from passed
cross join earlier
returning batch_id;
