-- purpose: Returns the bytes after the head of a packed evidence body (format: evidence_text).
create or replace function payrecon.packed_values(body bytea) returns bytea
language sql immutable parallel safe
return substring(body from 6 + 36 * payrecon.big_endian(body, 0) + get_byte(body, 4));
