-- purpose: the fiscal period that a file was put into.
-- parameters: file_sha256 (text)
-- grain:   one row
select fiscal_period
from finance_files
where file_sha256 = :'file_sha256'::text;
