-- purpose: bridge line 9: orders that no charge stands behind.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 9,
    '− orders without charge',
    line.count, line.amount, line.currency, 'orders', 'breaks ORDER_NO_TX'
from tie_run
cross join (
    select currency, -sum(count)::bigint as count, -sum(amount) as amount
    from tie_book
    where is_in_period and kind = 'unmatched'
    group by currency
) as line;
