-- purpose: Returns the hash of a finance file's bytes, from the key by which rows refer to it (sql/schema/finance.sql).
create or replace function payrecon.bytes_of_file(file_sha256 text) returns text
language sql immutable parallel safe
return left(file_sha256, 64);
