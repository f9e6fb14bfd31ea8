-- purpose: how many rows a file has that was read before; a file is known by its hash.
-- parameters: file_sha256 (text)
-- grain:   one row at most
select row_count
from finance_files
where file_sha256 = :'file_sha256'::text;
