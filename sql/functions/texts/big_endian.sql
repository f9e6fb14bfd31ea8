-- purpose: Returns the big-endian number of four bytes, from the byte after `skipped` on.
create or replace function payrecon.big_endian(bytes bytea, skipped integer) returns integer
language sql immutable parallel safe
return get_byte(bytes, skipped) << 24 | get_byte(bytes, skipped + 1) << 16
    | get_byte(bytes, skipped + 2) << 8 | get_byte(bytes, skipped + 3);
