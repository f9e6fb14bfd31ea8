-- purpose: Returns the clock at which a batch's input was read. It is the same for all batches of a reading, even if
--          decisions came before or between them, so that clocks alone order two readings.
create or replace function payrecon.reading_clock(batch_id bigint) returns timestamptz
language sql stable
as $$
    select coalesce(batches.read_at, batches.known_at) from payrecon.batches where batches.batch_id = $1
$$;
