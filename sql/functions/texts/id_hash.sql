-- purpose: Returns the id that is a hash of a text: 32 hexadecimal digits.
create or replace function payrecon.id_hash(content text) returns text
language sql stable parallel safe
return left(encode(sha256(convert_to(content, 'UTF8')), 'hex'), 32);
