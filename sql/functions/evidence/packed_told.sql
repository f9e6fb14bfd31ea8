-- purpose: what stands behind the head of a packed body of evidence (evidence_text says how).
create or replace function payrecon.packed_told(body bytea) returns bytea
language sql immutable parallel safe
return substring(body from 6 + 36 * payrecon.big_endian(body, 0) + get_byte(body, 4));
