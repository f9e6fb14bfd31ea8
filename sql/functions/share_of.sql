-- purpose: into which of so many equal shares a key falls, counted from 0; the same on every machine.
create or replace function payrecon.share_of(key text, share_count integer) returns bigint
language sql immutable parallel safe
as $$
    select (hashtextextended(share_of.key, 0) & 9223372036854775807) % share_of.share_count
$$;
