-- purpose: the rows of the period's payments files with their region, evaluated once; see functions/finance/payment_parts.sql.
-- grain:   tie_paid one row per effective row of a payments file; is_in_bank if it states what the bank got, and in which currency
create temp table tie_paid on commit drop as
select
    paid.*, finance_files.vendor, paid.is_paid and paid.proceeds is not null and paid.bank_currency is not null as is_in_bank
from paid_lines() as paid
inner join finance_files on finance_files.file_sha256 = paid.file_sha256;
