-- purpose: the row count of a file that was read before. A file with a vendor is identified by its uncompressed lines,
--          whatever their ends, and its vendor; a file name without a vendor number matches the lines of any vendor.
-- parameters: lines_sha256, vendor (text; '' if the name has none)
-- grain:   one row at most
select row_count
from finance_files
where lines_sha256 = :'lines_sha256'::text
    and :'vendor'::text in ('', vendor)
limit 1;
