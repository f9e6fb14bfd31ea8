-- purpose: Returns the 32 bytes of a SHA-256 given as 64 hexadecimal digits; null for any other text.
create or replace function payrecon.hash_of_letters(letters text) returns bytea
language sql immutable parallel safe
return case when $1 ~ '^[0-9a-f]{64}$' then decode($1, 'hex') end;
