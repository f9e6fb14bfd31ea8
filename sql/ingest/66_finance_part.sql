-- purpose: stores a part of a file's uncompressed bytes.
-- parameters: bytes_sha256 (text), part (integer), body (bytea)
-- grain:   one row
insert into finance_parts (file_sha256, part, body)
values (:'bytes_sha256'::text, :'part'::integer, :'body'::bytea)
on conflict do nothing;
