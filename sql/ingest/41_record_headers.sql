-- purpose: stores each distinct header of signed data, with the frame shared by its payloads, once.
-- grain:   one row per header and frame
insert into signed_headers (header_key, header, frame)
select staged_header.header_key, staged_header.header, staged_header.frame
from staged_header
on conflict do nothing;
