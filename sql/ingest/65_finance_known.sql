-- purpose: how many rows a file has that was read before: one vendor's is known by its bytes, and a name without vendor number
--          tells nothing of bytes that anybody's name had.
-- parameters: bytes_sha256, vendor (text; '' where none is named)
-- grain:   one row at most
select row_count
from finance_files
where bytes_sha256 = :'bytes_sha256'::text
    and :'vendor'::text in ('', vendor)
limit 1;
