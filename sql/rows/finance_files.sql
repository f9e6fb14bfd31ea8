-- purpose: the lines behind the row count of each file about money.
-- parameters: file_sha256, figure (text: row_count; empty for all files), as_of (timestamptz)
-- grain:   one row per line of a file
select
    file.file_sha256, 'row_count' as figure, told.line, told.what, told.place, told.currency, trim_scale(told.amount)::text as amount,
    '1' as value
from finance_files_at(:'as_of'::timestamptz) as file
inner join (
    select
        finance_lines.file_sha256, finance_lines.line, coalesce(finance_lines.sku, finance_lines.apple_identifier) as what,
        finance_lines.country_of_sale as place, finance_lines.partner_share_currency as currency,
        finance_lines.extended_partner_share as amount
    from finance_lines
    union all
    select
        payment_lines.file_sha256, payment_lines.line, 'payment', payment_lines.region, payment_lines.currency,
        payment_lines.total_owed
    from payment_lines
    union all
    select bank_lines.file_sha256, bank_lines.line, bank_lines.reference, null, bank_lines.currency, bank_lines.amount
    from bank_lines
) as told on told.file_sha256 = file.file_sha256
where :'file_sha256'::text in ('', file.file_sha256)
    and :'figure'::text in ('', 'row_count')
order by file.file_sha256 collate "C", told.line;
