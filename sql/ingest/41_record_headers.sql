-- purpose: keeps each first segment of signed data, and what the payloads behind it share, once.
-- parameters: none
-- grain:   one row per header and frame
insert into signed_headers (header_key, header, frame)
select staged_header.header_key, staged_header.header, staged_header.frame
from staged_header
on conflict do nothing;
