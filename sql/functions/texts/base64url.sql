-- purpose: Returns bytes in base64url without padding, as in the parts of a compact signature.
create or replace function payrecon.base64url(bytes bytea) returns text
language sql immutable parallel safe
return translate(encode(bytes, 'base64'), e'+/=\n', '-_');
