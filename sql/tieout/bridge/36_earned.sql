-- purpose: bridge line 36: what Apple reports as earned, asked for by itself.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 36,
    '= earned in the report',
    line.count, line.amount, line.currency, 'report lines', 'report tieout, level B'
from tie_run
cross join (
    select finance_lines.partner_share_currency as currency, sum(finance_lines.quantity)::bigint as count,
        sum(finance_lines.extended_partner_share) as amount
    from tie_file
    inner join tie_run as run on run.fiscal_period = tie_file.fiscal_period
    inner join finance_lines on finance_lines.file_sha256 = tie_file.file_sha256
    group by finance_lines.partner_share_currency
) as line;
