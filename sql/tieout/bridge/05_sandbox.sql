-- purpose: bridge line 5: orders that no money stands behind.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 5,
    '− sandbox',
    line.count, line.amount, line.currency, 'orders', 'breaks SANDBOX_IN_PROD'
from tie_run
cross join (
    select currency, -sum(count)::bigint as count, -sum(amount) as amount
    from tie_book
    where is_in_period and kind = 'sandbox'
    group by currency
) as line;
