-- purpose: keeps each first segment of signed data once.
-- parameters: none
-- grain:   one row per header
insert into signed_headers (header_sha256, header)
select distinct on (header_sha256) header_sha256, header
from staged_header
order by header_sha256
on conflict do nothing;
