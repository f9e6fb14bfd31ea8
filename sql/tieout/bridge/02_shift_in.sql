-- purpose: bridge line 2: days of the fiscal period outside of the month.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 2,
    '+ in the fiscal period, not in the month',
    line.count, line.amount, line.currency, 'orders', 'export orders'
from tie_run
cross join (
    select currency, sum(count)::bigint as count, sum(amount) as amount
    from tie_book
    where is_in_period and not is_in_month
    group by currency
) as line;
