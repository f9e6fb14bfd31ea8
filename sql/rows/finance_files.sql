-- purpose: the lines behind the row count of each finance file. A credit that an earlier bank statement listed is stored
--          once; repeated credits of a file are one row with their number.
-- parameters: file_sha256, vendor, figure (text: row_count; empty for all files), as_of (timestamptz)
-- grain:   one row per line of a file
with file as materialized (
    select known.*
    from finance_files_at(:'as_of'::timestamptz) as known
    where :'file_sha256'::text in ('', known.bytes_sha256)
        and :'vendor'::text in ('', coalesce(nullif(known.vendor, ''), '-'))
        and :'figure'::text in ('', 'row_count')
),
listed as (
    select
        finance_lines.file_sha256, finance_lines.line, coalesce(finance_lines.sku, finance_lines.apple_identifier) as what,
        finance_lines.country_of_sale as place, finance_lines.partner_share_currency as currency,
        finance_lines.extended_partner_share as amount, 1::bigint as value
    from file
    inner join finance_lines on finance_lines.file_sha256 = file.file_sha256
    union all
    select
        payment_lines.file_sha256, payment_lines.line, 'payment', payment_lines.region, payment_lines.currency,
        payment_lines.total_owed, 1
    from file
    inner join payment_lines on payment_lines.file_sha256 = file.file_sha256
    union all
    select bank_lines.file_sha256, bank_lines.line, bank_lines.reference, null, bank_lines.currency, bank_lines.amount, 1
    from file
    inner join bank_lines on bank_lines.file_sha256 = file.file_sha256
    union all
    select file.file_sha256, null, 'credits that another statement contains', null, null, null, file.row_count - count(bank_lines.line)
    from file
    left join bank_lines on bank_lines.file_sha256 = file.file_sha256
    where file.report = 'BANK'
    group by file.file_sha256, file.row_count
    having file.row_count > count(bank_lines.line)
)
select
    file.bytes_sha256 as file_sha256, file.vendor, 'row_count' as figure, listed.line, listed.what, listed.place, listed.currency,
    trim_scale(listed.amount)::text as amount, listed.value::text as value
from listed
inner join file on file.file_sha256 = listed.file_sha256
order by listed.file_sha256 collate "C", listed.line;
