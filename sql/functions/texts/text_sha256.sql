-- purpose: Returns the SHA-256 of a text as 64 hexadecimal digits.
create or replace function payrecon.text_sha256(content text) returns text
language sql stable parallel safe
return encode(sha256(convert_to(content, 'UTF8')), 'hex');
