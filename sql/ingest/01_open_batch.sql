-- purpose: opens the batch of one input file.
-- parameters: kind, file_name, content_sha256, source, run_id (text), is_clock_given (boolean), known_at (timestamptz)
-- grain:   one row: the batch
insert into batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
values (
    :'kind'::text, :'file_name'::text, :'content_sha256'::text, :'source'::text, :'run_id'::text, 'open',
    :'is_clock_given'::boolean, :'known_at'::timestamptz
)
returning batch_id;
