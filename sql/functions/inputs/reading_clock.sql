-- purpose: the clock under which what a batch holds was read: the same for all of a reading, also where decisions came before it or
--          between its batches, so that the later of two readings is known by their clocks alone.
create or replace function payrecon.reading_clock(batch_id bigint) returns timestamptz
language sql stable
as $$
    select coalesce(batches.read_at, batches.known_at) from payrecon.batches where batches.batch_id = $1
$$;
