-- purpose: bridge line 35: money of what is no in-app purchase.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 35,
    '+ apps, bundles and other products',
    line.count, line.amount, line.currency, 'report lines', 'export finance-lines'
from tie_run
cross join (
    select finance_lines.partner_share_currency as currency, sum(finance_lines.quantity)::bigint as count,
        sum(finance_lines.extended_partner_share) as amount
    from tie_file
    inner join tie_run as run on run.fiscal_period = tie_file.fiscal_period
    inner join finance_lines on finance_lines.file_sha256 = tie_file.file_sha256
    where not coalesce(
        (finance_lines.product_type like 'IA%' or finance_lines.product_type like 'FI%')
        and finance_lines.product_type not like 'IA3%', false
    )
    group by finance_lines.partner_share_currency
) as line;
