-- purpose: the money of Apple's reports of the period, evaluated once; see functions/finance/payment_parts.sql.
-- grain:   tie_earned one row per report, region, currency and vendor
create temp table tie_earned on commit drop as
select
    entry.report, entry.region, entry.currency, finance_files.vendor, sum(entry.quantity) as quantity, sum(entry.amount) as amount
from earned_lines() as entry
inner join finance_files on finance_files.file_sha256 = entry.file_sha256
group by entry.report, entry.region, entry.currency, finance_files.vendor;
