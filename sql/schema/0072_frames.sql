-- purpose: what many payloads share is kept once, beside the header that signs them (frame, in which U+001F stands for each
--          value); null where a body holds the whole text, as all that was recorded before. The key of a header names both.
alter table payrecon.signed_headers rename column header_sha256 to header_key;
alter table payrecon.signed_headers add column frame bytea;
alter table payrecon.evidence rename column header_sha256 to header_key;
