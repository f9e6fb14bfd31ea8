-- purpose: bridge line 6: orders that claim a purchase which another order has.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 6,
    '− duplicates',
    line.count, line.amount, line.currency, 'orders', 'breaks DUP_DELIVERY, REPLAY_MULTI_USER'
from tie_run
cross join (
    select currency, -sum(count)::bigint as count, -sum(amount) as amount
    from tie_book
    where is_in_period and kind = 'duplicate'
    group by currency
) as line;
