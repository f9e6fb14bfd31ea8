-- purpose: up to which instant what a batch read can tell that input still comes: the clock on which it was read, its own or the
--          server's, whichever is later, and what two clocks may be apart. A row dated later was not told by then, whatever it
--          says: a date of next month would make a night of next month fresh. A history that is read at once lies before it.
create or replace function payrecon.latest_credible_instant(batch_id bigint) returns timestamptz
language sql volatile
as $$
    select greatest(batches.known_at, clock_timestamp()) + interval '5 minutes'
    from payrecon.batches
    where batches.batch_id = $1
$$;
