-- purpose: the hash of the bytes of a file about money, out of the key by which rows refer to it (sql/schema/finance.sql).
create or replace function payrecon.bytes_of_file(file_sha256 text) returns text
language sql immutable parallel safe
return left(file_sha256, 64);
