-- purpose: Return numbers that reveal outdated sums of a clock: batches known by it, and run attempts that decide at it.
create or replace function payrecon.batches_known_by(clock timestamptz) returns bigint
language sql stable parallel safe
as $$
    select count(*) from payrecon.batches where batches.known_at <= clock
$$;

create or replace function payrecon.runs_deciding_at(clock timestamptz) returns bigint
language sql stable parallel safe
as $$
    select count(*) from payrecon.runs where runs.as_of = clock and runs.bound_batch_id is not null
$$;
