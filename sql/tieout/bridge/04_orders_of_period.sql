-- purpose: bridge line 4: our own orders of the fiscal period, asked for by themselves.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 4,
    '= own orders, fiscal period',
    line.count, line.amount, line.currency, 'orders', 'export orders'
from tie_run
cross join (
    select currency, sum(count)::bigint as count, sum(amount) as amount
    from tie_book
    where is_in_period
    group by currency
) as line;
