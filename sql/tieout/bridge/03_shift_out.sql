-- purpose: bridge line 3: days of the month outside of the fiscal period.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 3,
    '− in the month, not in the fiscal period',
    line.count, line.amount, line.currency, 'orders', 'export orders'
from tie_run
cross join (
    select currency, -sum(count)::bigint as count, -sum(amount) as amount
    from tie_book
    where is_in_month and not is_in_period
    group by currency
) as line;
