-- purpose: Returns the number of a mapping of the settings, counted from 0 per kind of input: that of the newest batch, and one
--          more if that batch had another mapping. A mapping that returns after another one has a new number.
create or replace function payrecon.mapping_number(kind text, mapping_sha256 text) returns integer
language sql stable
as $$
    select coalesce(
        (
            select batches.mapping_number + (batches.mapping_sha256 <> $2)::integer
            from payrecon.batches
            where batches.kind = $1
            order by batches.batch_id desc
            limit 1
        ),
        0
    )
$$;
