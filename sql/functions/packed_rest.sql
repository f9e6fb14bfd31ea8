-- purpose: what a packed body of evidence holds beside its head (evidence_text says how): the payload of what is signed,
--          decoded and without the texts inside it.
create or replace function payrecon.packed_rest(body bytea) returns bytea
language sql immutable parallel safe
return substring(body from 6 + 36 * payrecon.big_endian(body, 0) + get_byte(body, 4));
