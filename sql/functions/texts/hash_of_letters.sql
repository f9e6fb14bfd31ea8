-- purpose: the 32 bytes of a SHA-256 that stands in 64 hexadecimal letters; null where a text is none.
create or replace function payrecon.hash_of_letters(letters text) returns bytea
language sql immutable parallel safe
return case when $1 ~ '^[0-9a-f]{64}$' then decode($1, 'hex') end;
