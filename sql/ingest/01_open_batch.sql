-- purpose: opens the batch of one input file. What is read under a clock that decisions have passed was not known then: it is
--          known from right after them, and a later run at their clock may still take it in.
-- parameters: kind, file_name, content_sha256, source, run_id (text), is_clock_given (boolean), known_at (timestamptz)
-- grain:   one row: the batch
with decided as (
    select max(runs.as_of) as as_of
    from runs
    where runs.last_batch_id is not null
)
insert into batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
select
    :'kind'::text, :'file_name'::text, :'content_sha256'::text, :'source'::text, :'run_id'::text, 'open',
    :'is_clock_given'::boolean and decided.as_of <= :'known_at'::timestamptz is not false,
    greatest(
        :'known_at'::timestamptz,
        case when decided.as_of > :'known_at'::timestamptz then decided.as_of + interval '1 microsecond' end
    )
from decided
returning batch_id;
