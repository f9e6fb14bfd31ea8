-- purpose: bridge line 12: refunds of the period whose sale lies in it, too; count is of charges.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 12,
    '− refunds of sales of this period',
    line.count, line.amount, line.currency, 'charges', 'report refunds'
from tie_run
cross join (
    select currency, -count as count, -amount as amount
    from tie_sum
    where kind = 'refunded'
) as line;
