-- purpose: Returns the partition, counted from 0, of a key's number among equal partitions.
create or replace function payrecon.share_of(label bigint, share_count integer) returns integer
language sql immutable parallel safe
as $$
    select ((share_of.label & 9223372036854775807) % share_of.share_count)::integer
$$;
