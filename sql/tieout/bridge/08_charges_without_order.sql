-- purpose: bridge line 8: what Apple charged and no order has.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 8,
    '+ charges without order',
    line.count, line.amount, line.currency, 'charges', 'breaks TX_NO_ORDER'
from tie_run
cross join (
    select currency, count, amount
    from tie_sum
    where kind = 'unmatched'
) as line;
