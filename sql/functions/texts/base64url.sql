-- purpose: bytes in base64url without padding, as the parts of a compact signature are written.
create or replace function payrecon.base64url(bytes bytea) returns text
language sql immutable parallel safe
return translate(encode(bytes, 'base64'), e'+/=\n', '-_');
