-- purpose: bridge line 7: orders on access that was shared or cost nothing.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 7,
    '− free and family',
    line.count, line.amount, line.currency, 'orders', 'export matches'
from tie_run
cross join (
    select currency, -sum(count)::bigint as count, -sum(amount) as amount
    from tie_book
    where is_in_period and kind = 'free'
    group by currency
) as line;
