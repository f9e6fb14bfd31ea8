-- purpose: bridge line 1: our own orders of the calendar month that the period is named after.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 1,
    'Own orders, calendar month',
    line.count, line.amount, line.currency, 'orders', 'export orders'
from tie_run
cross join (
    select currency, sum(count)::bigint as count, sum(amount) as amount
    from tie_book
    where is_in_month
    group by currency
) as line;
