-- purpose: Returns the latest instant up to which a batch proves that input is fresh: the later of its clock and the
--          server's, plus the margin for clock differences. Rows dated later do not count, since a date of next month
--          would make next month's nights look fresh.
create or replace function payrecon.latest_credible_instant(batch_id bigint) returns timestamptz
language sql volatile
as $$
    select greatest(batches.known_at, clock_timestamp()) + payrecon.clock_margin()
    from payrecon.batches
    where batches.batch_id = $1
$$;
